/** What a model of the tests can do, and how much it gives. */
import type { Target } from '../../src/core/index.ts';

export const able: Pick<Target, 'abilities' | 'maxOutput'> = {
  abilities: {
    images: true,
    efforts: ['low', 'medium', 'high'],
    thinking: 'either',
    sampling: true,
    systemMessages: false,
    edits: 'replace',
  },
  maxOutput: 64_000,
};
