/** How a session is found by what somebody remembers of it: its id, a part of that, or a part of its title. */
import { ReinsError } from '../core/index.ts';
import { list } from './catalogue.ts';
import { sessionFolder, sessionIds } from './folders.ts';
import { summarise } from './list.ts';
import { titleOf, type SessionSummary } from './summary.ts';

const mostCandidates = 10;
/** Less is more likely a slip than a memory. */
const leastPart = 3;

/** The id of the one session that is meant. Throws `session-missing` where there is none, and `session-ambiguous`, which lists those that could be. */
export function find(state: string, words: string): string {
  const ids = sessionIds(state);
  if (ids.includes(words)) return words;
  if (words.trim() === '') throw new ReinsError('session-missing', 'An empty text names no session.');
  for (const found of attempts(state, ids, words.trim())) {
    const [id] = found;
    if (id !== undefined && found.length === 1) return id;
    if (found.length > 1) throw ambiguous(state, words, found);
  }
  throw new ReinsError('session-missing', `No session has “${words}” in its id or its title.`);
}

/** The nearer to the whole id, the sooner it counts; the logs are read only where no id fits. */
function* attempts(state: string, ids: readonly string[], words: string): Generator<string[]> {
  yield ids.filter((id) => id.startsWith(words));
  if (words.length < leastPart) return;
  yield ids.filter((id) => id.includes(words));
  const meant = words.toLowerCase();
  yield list(state)
    .filter((summary) => titleOf(summary).toLowerCase().includes(meant))
    .map(({ id }) => id);
}

function ambiguous(state: string, words: string, found: readonly string[]): ReinsError {
  const shown = found.toReversed().slice(0, mostCandidates);
  const more = found.length > shown.length ? [`  and ${found.length - shown.length} more`] : [];
  // Ids of one second are in no order of their own.
  const summaries = shown.map((id) => summarise(id, sessionFolder(state, id)));
  const lines = summaries.toSorted((a, b) => (b.start ?? 0) - (a.start ?? 0)).map((each) => `  ${candidate(each)}`);
  const text = [`${found.length} sessions have “${words}” in their id or title:`, ...lines, ...more].join('\n');
  return new ReinsError('session-ambiguous', `${text}\n`);
}

function candidate(summary: SessionSummary): string {
  const { id, workspace = 'unknown workspace' } = summary;
  return `${id}  ${titleOf(summary) || '(nothing was asked)'}  (${workspace})`;
}
