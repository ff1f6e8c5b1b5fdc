import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compactSession, listSessions, openReader } from '../../../src/harness/index.ts';
import { key, within } from '../../support/scenario-place.ts';
import type { Place, Script } from '../../support/scenario-types.ts';

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  if (!(await within(20_000, holds))) throw new Error(`It never came: ${what}.`);
}

async function hasCancel({ environment }: Place): Promise<boolean> {
  const id = (await listSessions(environment)).at(-1)?.id ?? '';
  const items = [...(await openReader(environment, id)).items()];
  return items.some((item) => 'kind' in item && item.kind === 'cancel');
}

export const deeds: Script['deeds'] = {
  secondRuns: ({ workspace }) => {
    const ran = join(workspace, 'ran');
    return until('the second command', () => existsSync(ran) && readFileSync(ran, 'utf8').includes('2'));
  },
  isCompacted: async ({ environment, server }, runs) => {
    const settings = { model: 'anthropic/claude-sonnet-4-5', endpoint: { baseUrl: server.url, apiKey: key } };
    const session = runs.at(-1)?.session ?? '';
    const { compaction } = await compactSession({ env: environment, session, settings });
    if (compaction?.gist?.summary === undefined)
      throw new Error(`It was not summarised: ${JSON.stringify(compaction)}`);
  },
  cancelIsTold: (place) => until('the cancel', () => hasCancel(place)),
};
