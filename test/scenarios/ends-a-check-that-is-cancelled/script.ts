import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { within } from '../../support/scenario-place.ts';
import type { Script } from '../../support/scenario-types.ts';

export const deeds: Script['deeds'] = {
  checkRuns: async ({ workspace }) => {
    const runs = await within(20_000, () => existsSync(join(workspace, 'started')));
    if (!runs) throw new Error('The check never ran.');
  },
};
