import { linkSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '../../support/scenario-types.ts';

export const deeds: Script['deeds'] = {
  secondName: ({ workspace }) => linkSync(join(workspace, 'a'), join(workspace, 'b')),
};
