/** Secrets on a call's way: placeholders in its arguments stand for what the same file holds, and no secret is in its outcome. */
import { isUtf8 } from 'node:buffer';
import type { CallOutcome, JsonObject } from '../../core/index.ts';
import type { Files, Secrets } from '../needs.ts';
import { isRefusal } from '../outcome.ts';
import { decode, detectEncoding } from '../text/index.ts';
import type { Tool } from '../tool.ts';

export const withheldText =
  'Its arguments held a secret that Reins knows, which is not sent to you or recorded: the value was replaced, and nothing was run. Name the variable or the file that holds it instead of its value.';

/** Why a call with a placeholder can't be made: nothing would put the secret in its place. */
export function whyUnresolved(
  tool: Tool,
  args: JsonObject,
  secrets: Secrets | undefined,
  onlyReads: boolean,
): string | undefined {
  const placeholder = secrets?.placeholderIn(JSON.stringify(args));
  if (placeholder === undefined || tool.keepsSecrets || onlyReads) return undefined;
  return `${placeholder} stands for a secret that you aren’t shown; here it would be taken as it is written. Nothing was run. Name the variable or the file that holds the secret instead, or change the file with an edit.`;
}

/** The arguments with the secrets in their places, for the tool alone; they are recorded nowhere. */
export async function withSecrets(
  tool: Tool,
  args: JsonObject,
  files: Files,
  secrets: Secrets | undefined,
): Promise<{ args: JsonObject } | { refused: string }> {
  if (secrets === undefined || !tool.keepsSecrets || secrets.placeholderIn(JSON.stringify(args)) === undefined)
    return { args };
  const problems: string[] = [];
  const entries: [string, JsonObject[string]][] = [];
  for (const [name, value] of Object.entries(args)) {
    const resolve = (text: string) => resolveText(text, args, files, secrets, problems);
    entries.push([name, name === 'path' ? value : await changed(value, resolve)]);
  }
  const [problem] = problems;
  return problem === undefined
    ? { args: Object.fromEntries(entries) }
    : { refused: `${problem}. Nothing was changed.` };
}

/** The sections of a patch are each for a file of their own; any other text is for the file of the call. */
async function resolveText(
  text: string,
  args: JsonObject,
  files: Files,
  secrets: Secrets,
  problems: string[],
): Promise<string> {
  if (secrets.placeholderIn(text) === undefined) return text;
  const { path } = args;
  const parts = typeof path === 'string' ? [{ path, text }] : sectionsOf(text);
  const resolved: string[] = [];
  for (const part of parts) {
    const made = secrets.resolve(part.text, await presentText(part.path, files));
    if ('problem' in made) problems.push(`${part.path}: ${made.problem}`);
    resolved.push('text' in made ? made.text : part.text);
  }
  return resolved.join('');
}

function sectionsOf(patch: string): { path: string; text: string }[] {
  const sections = patch.split(/^(?=\*\*\* (?:Update|Add|Delete) File: )/m);
  return sections.map((text) => ({ path: /^\*\*\* \w+ File: (.*)/.exec(text)?.[1]?.trim() ?? '', text }));
}

async function presentText(path: string, files: Files): Promise<string> {
  const real = await files.resolve(path, 'read');
  const state = isRefusal(real) ? null : await files.read(real);
  if (state === null || isRefusal(state)) return '';
  const encoded = await detectEncoding(state.bytes);
  return encoded === 'binary' ? '' : decode(state.bytes, encoded);
}

type Json = JsonObject[string];

async function changed(value: Json, change: (text: string) => Promise<string>): Promise<Json> {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return Promise.all(value.map((each) => changed(each, change)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, each]) => [key, await changed(each, change)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Files that remember what is read of them, as far as a part of it can't be known as a secret by itself: the lines of a key. */
export function watchedFiles(files: Files, sources: Buffer[]): Files {
  return {
    resolve: (path, access) => files.resolve(path, access),
    read: async (path) => {
      const state = await files.read(path);
      if (state !== null && !isRefusal(state) && state.bytes.includes('PRIVATE KEY')) sources.push(state.bytes);
      return state;
    },
    write: (path, bytes, expected, like) => files.write(path, bytes, expected, like),
    remove: (path, expected) => files.remove(path, expected),
    display: (path) => files.display(path),
    list: (path) => files.list(path),
  };
}

/** Bytes as they may be kept: text without secrets, anything else (an image) as it is. */
export function keepable(bytes: Uint8Array, secrets: Secrets | undefined): Buffer {
  const whole = Buffer.from(bytes);
  if (secrets === undefined || whole.includes(0) || !isUtf8(whole)) return whole;
  return Buffer.from(secrets.redact(whole.toString('utf8'), []));
}

/** The outcome as it may be kept and shown. */
export async function withoutSecrets(
  outcome: CallOutcome,
  secrets: Secrets | undefined,
  sources: readonly Buffer[],
): Promise<CallOutcome> {
  if (secrets === undefined) return outcome;
  const texts: string[] = [];
  for (const bytes of sources) {
    const encoded = await detectEncoding(bytes);
    if (encoded !== 'binary') texts.push(decode(bytes, encoded));
  }
  return { ...outcome, text: secrets.redact(outcome.text, texts) };
}
