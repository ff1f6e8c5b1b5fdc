/** The profiles that ship with Reins: each a layer of settings, and nothing besides. */
import type { FileSettings } from './schema.ts';

export interface ShippedProfile {
  about: string;
  settings: Omit<FileSettings, '$schema' | 'profile'>;
}

export const shippedProfiles: { readonly [name: string]: ShippedProfile } = {
  default: { about: 'What your settings and the defaults say.', settings: {} },
  plan: { about: 'Reads, and writes a plan that you review.', settings: { mode: 'plan' } },
  edit: { about: 'Changes files without a question, asks about commands.', settings: { mode: 'edit' } },
  auto: { about: 'Asks nothing; everything stays in the sandbox.', settings: { mode: 'auto' } },
  explore: {
    about: 'Reads and answers; changes nothing, and writes no plan.',
    settings: { mode: 'plan', tools: ['ask', 'find', 'read', 'search', 'shell'] },
  },
  lean: {
    about: 'One tool, the shell, and nothing that could be left out.',
    settings: {
      tools: ['shell'],
      loop: { leaveOut: ['plan'] },
      diagnostics: { syntax: false, linters: [], servers: [] },
    },
  },
};
