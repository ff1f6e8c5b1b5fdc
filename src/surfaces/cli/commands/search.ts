/** `reins search`: what was said, done and found in all sessions. */
import { realpathSync } from 'node:fs';
import type { SearchHit, SearchQuery } from '../../../harness/index.ts';
import { UsageError, valueIn, type Arguments, type CommandSpec } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import type { Writer } from '../output.ts';
import { clip, oneLine, pad } from '../printable.ts';
import { clockTime, percent, styleOf, type Style } from '../render/index.ts';
import { timeIn } from '../times.ts';

const spec: CommandSpec = {
  name: 'search',
  summary: 'Search through all sessions.',
  usage: ['search ["words"] [filters]'],
  examples: ['search "dead lock"', 'search parser --since 7d'],
  positionals: 1,
  tooMany: 'The words are one argument: reins search "dead lock".',
  options: [
    {
      name: 'workspace',
      value: 'DIR',
      valueOptional: true,
      about: 'Only sessions of this workspace; of the current folder without DIR.',
    },
    { name: 'since', value: 'TIME', about: 'Only what came since: 2026-11-30, or 7d, 12h, 30m ago.' },
    { name: 'until', value: 'TIME', about: 'Only what came before.' },
    { name: 'kind', value: 'KIND', many: true, about: 'Only events of this kind: input, reply, result, stop, ...' },
    { name: 'tool', value: 'TOOL', many: true, about: 'Only calls of this tool.' },
    {
      name: 'outcome',
      value: 'OUTCOME',
      many: true,
      about: 'Only what came out so: error, denied, failed, completed, ...',
    },
    { name: 'path', value: 'PATH', many: true, about: 'Only what is about this file, or a file in this folder.' },
    { name: 'limit', value: 'N', about: 'At most so many sessions (20).' },
    { name: 'json', about: 'One JSON object a line.' },
  ],
  notes: [
    'All words must be in one event. "Words in quotes" stand side by side, a star at the end of a word stands for what may follow.',
    'Without words the filters decide alone. Several values of one filter: any of them.',
  ],
};

export const command: Command = {
  ...spec,
  async run(parsed, { output: { out, err } }) {
    const query = queryIn(parsed, Date.now());
    const { searchSessions } = await import('../../../harness/index.ts');
    const hits = await searchSessions(undefined, query, { onProgress: progressOn(err) });
    if (parsed.options.has('json')) for (const hit of hits) out.write(jsonLine(hit));
    else for (const line of hitLines(hits, styleOf(out))) out.write(`${line}\n`);
    if (hits.length === 0) err.write('Nothing was found.\n');
    return hits.length === 0 ? 1 : 0;
  },
};

function queryIn(parsed: Arguments, now: number): SearchQuery {
  const [words] = parsed.positionals;
  const [workspace, since, until] = ['workspace', 'since', 'until'].map((name) => valueIn(parsed, name));
  const many = (name: string) => parsed.options.get(name);
  const [kinds, tools, outcomes, paths] = ['kind', 'tool', 'outcome', 'path'].map(many);
  return {
    ...(words !== undefined && { words }),
    ...(workspace !== undefined && { workspace: realPath(workspace === '' ? process.cwd() : workspace) }),
    ...(since !== undefined && { since: timeIn('since', since, now) }),
    ...(until !== undefined && { until: timeIn('until', until, now) }),
    ...(kinds !== undefined && { kinds }),
    ...(tools !== undefined && { tools }),
    ...(outcomes !== undefined && { outcomes }),
    ...(paths !== undefined && { paths }),
    ...limitIn(parsed),
  };
}

function limitIn(parsed: Arguments): Pick<SearchQuery, 'sessions'> {
  const limit = valueIn(parsed, 'limit');
  if (limit === undefined) return {};
  const sessions = Number(limit);
  if (!Number.isSafeInteger(sessions) || sessions < 1)
    throw new UsageError('--limit takes a whole number of at least 1.');
  return { sessions };
}

/** Workspaces are recorded by their real path; one that is gone is only its name. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Logs that take no time to be taken in need no word. */
const muchToTakeIn = 32 * 1024 * 1024;

function progressOn(err: Writer): (done: number, all: number) => void {
  return (done, all) => {
    if (!err.isTerminal || all < muchToTakeIn) return;
    err.write(
      `\r${pad(`reading what came since the last search: ${percent(done / all)}`, 60)}${done >= all ? '\n' : ''}`,
    );
  };
}

/** Each session with what was found in it below. */
export function hitLines(hits: readonly SearchHit[], style: Style): string[] {
  return hits.flatMap((hit, index) => {
    const isFirst = hits[index - 1]?.session !== hit.session;
    const title = `${oneLine(hit.session)}  ${oneLine(hit.title)}`;
    const of = [hit.kind, hit.tool, hit.outcome].filter((word) => word !== undefined).join(' ');
    const before = `  ${clockTime(hit.at)} ${oneLine(of)}: `;
    const head = isFirst ? [style.bold(clip(title, style.width))] : [];
    return [...head, clip(`${before}${oneLine(hit.excerpt)}`, style.width)];
  });
}
