/** What of each kind of event is searched: its words, and what it can be filtered by. Kinds without an entry are not found. */
import type { Event, EventData, Json, Kind, ReplyPart } from '../../core/index.ts';

export interface Searched {
  text: string;
  tool?: string;
  /** How it came out: of a call, a check, a run, or what was decided. */
  outcome?: string;
  /** As the log names them: relative to the workspace, or absolute. */
  paths?: string[];
}

/** Characters of one event; what is beyond isn't found. */
const longestText = 100_000;

const texts: { readonly [K in Kind]?: (data: EventData[K]) => Searched } = {
  input: ({ text }) => ({ text }),
  title: ({ text }) => ({ text }),
  reply: ({ parts }) => ({ text: parts.map(partText).join('\n') }),
  failure: ({ code, message }) => ({ text: `${code} ${message}` }),
  verdict: ({ tool, decision, reason, resources }) => ({
    text: reason,
    tool,
    outcome: decision,
    paths: resources === 'unknown' ? [] : resources.map(({ path }) => path),
  }),
  ask: ({ question, tool }) => ({ text: question, tool }),
  answer: ({ reason = '', decision }) => ({ text: reason, outcome: decision }),
  'review-end': ({ reason = '', failed = '' }) => ({ text: `${reason} ${failed}` }),
  'aside-end': ({ text = '', failed = '' }) => ({ text: `${text} ${failed}` }),
  instructions: ({ text, files }) => ({ text, paths: files.map(({ path }) => path) }),
  result: ({ text, tool, outcome, changes = [] }) => ({ text, tool, outcome, paths: changes.map(({ path }) => path) }),
  compaction: ({ gist, problem = '' }) => ({ text: `${gist?.summary?.text ?? ''} ${problem}` }),
  evidence: ({ command, output, outcome }) => ({ text: `${command}\n${output.text}`, outcome }),
  'own-checks': ({ why, commands }) => ({ text: [why, ...commands.map(({ command }) => command)].join('\n') }),
  job: ({ command }) => ({ text: command }),
  undo: ({ changes }) => ({ text: '', paths: changes.map(({ path }) => path) }),
  notice: ({ code, text }) => ({ text: `${code} ${text}` }),
  stop: ({ reason, code = '', detail, answer = '' }) => ({ text: `${code} ${detail}\n${answer}`, outcome: reason }),
};

/** The kinds of events that a search can find. */
export const searchedKinds: readonly string[] = Object.keys(texts);

/** Undefined for an event that no search finds. */
export function searchedIn(event: Event, workspace: string | undefined): Searched | undefined {
  const searched = (texts[event.kind] as ((data: unknown) => Searched) | undefined)?.(event.data);
  if (searched === undefined) return undefined;
  const { text, paths = [], ...rest } = searched;
  if (text.trim() === '' && paths.length === 0 && rest.outcome === undefined) return undefined;
  return {
    ...rest,
    text: text.slice(0, longestText),
    paths: [...new Set(paths.map((path) => within(path, workspace)))],
  };
}

/** A path as people name it: relative to the workspace, where it lies in it. */
function within(path: string, workspace: string | undefined): string {
  if (workspace !== undefined && path.startsWith(`${workspace}/`)) return path.slice(workspace.length + 1);
  return path;
}

function partText(part: ReplyPart): string {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return part.text;
    case 'call':
      return [part.name, ...strings(part.arguments), part.malformed ?? ''].join('\n');
    default:
      return '';
  }
}

/** All texts in a value. */
function strings(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(strings);
}
