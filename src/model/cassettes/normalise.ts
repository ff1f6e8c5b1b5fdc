/**
 * What differs between two runs of the same work without meaning anything: dates and times, places on a disk, ids. A text in which
 * these are replaced by a word for their kind can be compared. docs/replay.md lists what is replaced; keep it in step.
 */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject, parseObject } from '../reply.ts';

/** Where a session ran. What isn't known, or is a root, is left as it is. */
export interface Surroundings {
  /** Real path of the workspace. */
  workspace?: string;
  home?: string;
  /** Folders for temporary files; the first name below one is taken for made up. */
  temporary?: readonly string[];
  /** The id of the session. */
  session?: string;
}

export interface NormaliseOptions {
  /** Also how long something took: in what commands print, never in prompts and tools. */
  durations?: boolean;
}

export interface Normaliser {
  /** Ids are numbered in the order in which they first come, over all texts of one normaliser, so that pairs stay pairs. */
  text(text: string, options?: NormaliseOptions): string;
}

/** Where a word may begin: after anything but a word, and after an escape of JSON in JSON. */
const before = String.raw`(?<=^|[^0-9A-Za-z_]|\\[nrtbf])`;
const after = String.raw`(?![0-9A-Za-z_])`;

const month =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*';
const zone = String.raw`(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?`;
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?`;

const kinds = {
  uuid: String.raw`[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}`,
  id: String.raw`(?:toolu|srvtoolu|call|msg|req|resp|rs|fc|ctc|item|chatcmpl|cmpl|gen)[_-](?=[A-Za-z_-]{0,100}\d)[A-Za-z0-9_-]{8,}`,
  date: [
    String.raw`\d{4}-\d{2}-\d{2}(?:[T ]${clock}${zone})?`,
    String.raw`(?:${day},? +)?(?:${month} +\d{1,2}|\d{1,2} +${month}(?! +\d{1,2}(?!\d)))(?:,? +\d{4})?(?:,? +${clock})?(?: +\d{4})?${zone}`,
    String.raw`\d{1,2}[/.]\d{1,2}[/.]\d{4}`,
    String.raw`\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?`,
    String.raw`(?<!\.)1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?`,
  ].join('|'),
  hash: String.raw`(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}`,
} as const;

const words = new RegExp(
  `${before}(?:${Object.entries(kinds)
    .map(([name, shape]) => `(?<${name}>${shape})`)
    .join('|')})${after}`,
  'g',
);

const unit = '(?:ns|µs|μs|us|ms|s|sec|secs|seconds?|min|mins|minutes?)';
const duration = new RegExp(
  String.raw`(?<label>(?:duration|elapsed|took|time)(?:_ms|Ms)?["']?[:= ] ?)\d+(?:[.,]\d+)?${after}|${before}(?<!\.)\d+(?:[.,]\d+)? ?${unit}${after}`,
  'g',
);

export function createNormaliser(surroundings: Surroundings): Normaliser {
  const places = placesOf(surroundings);
  const ids = new Map<string, string>();
  const numbered = (id: string): string => {
    const known = ids.get(id) ?? `<id ${ids.size + 1}>`;
    ids.set(id, known);
    return known;
  };
  return {
    text(text, options = {}) {
      const placed = places === undefined ? text : places(text);
      const named = placed.replaceAll(words, (found: string, ...rest: unknown[]) => {
        const { date } = rest.at(-1) as { [name: string]: string | undefined };
        return date === undefined ? numbered(found) : '<date>';
      });
      if (options.durations !== true) return named;
      return named.replaceAll(duration, (_found: string, label: string | undefined) => `${label ?? ''}<duration>`);
    },
  };
}

/** Characters; what is longer is no path of any system, whatever a cassette says. */
const longestPath = 4_096;

/** Replaces the folders that are known, the longest first: a workspace mostly lies in a home, or among the temporary files. */
function placesOf(surroundings: Surroundings): ((text: string) => string) | undefined {
  const { workspace, home, temporary = [], session } = surroundings;
  const known = new Map<string, string>();
  const add = (path: string | undefined, word: string): void => {
    const trimmed = path?.replace(/\/+$/, '') ?? '';
    const isPath = trimmed.length > 1 && trimmed.length <= longestPath;
    if (isPath && !known.has(trimmed)) known.set(trimmed, word);
  };
  add(workspace, '<workspace>');
  add(home, '<home>');
  for (const folder of temporary) add(folder, '<temporary>');
  add(session, '<session>');
  if (known.size === 0) return undefined;
  const paths = [...known.keys()].toSorted((a, b) => b.length - a.length).map((path) => escaped(path));
  const shape = new RegExp(String.raw`(?<=^|[^\w.-]|\\[nrtbf])(${paths.join('|')})(?![\w-]|\.\w)(\/[\w.@+-]+)?`, 'g');
  return (text) =>
    text.replaceAll(shape, (_found: string, path: string, below: string | undefined) => {
      const word = known.get(path) ?? '';
      return word === '<temporary>' && below !== undefined ? `${word}/*` : `${word}${below ?? ''}`;
    });
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** The keys under which the wires put the conversation; everything else is prompt, tools and settings. */
const conversationKeys = ['messages', 'input', 'contents'];

/**
 * A request body with what doesn't matter replaced, as compact JSON; two requests are the same when these are the same. A body that
 * is no JSON object is replaced as text.
 */
export function normalisedBody(body: string, surroundings: Surroundings): string {
  const normaliser = createNormaliser(surroundings);
  const value = parseObject(body);
  if (value === undefined) return normaliser.text(body, { durations: true });
  const entries = Object.entries(value).map(([key, part]): [string, Json] => {
    return [key, normalised(part, normaliser, conversationKeys.includes(key))];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

function normalised(value: Json, normaliser: Normaliser, durations: boolean): Json {
  if (typeof value === 'string') return normaliser.text(value, { durations });
  if (Array.isArray(value)) return value.map((each) => normalised(each, normaliser, durations));
  if (!isObject(value)) return value;
  const inside = durations && !isPrompt(value);
  const entries = Object.entries(value).filter(([key, part]) => !isCacheMark(key, part));
  return Object.fromEntries<Json>(entries.map(([key, part]) => [key, normalised(part, normaliser, inside)]));
}

/** Marks move along from request to request and say nothing to the model. */
function isCacheMark(key: string, value: Json): boolean {
  return key === 'cache_control' && isObject(value) && value['type'] === 'ephemeral';
}

/** A prompt that goes among the messages is still a prompt: what it says of seconds is meant. */
function isPrompt({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer';
}
