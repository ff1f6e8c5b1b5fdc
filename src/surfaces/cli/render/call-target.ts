/** What a call is about, in a few words: the path, the command, or whatever says most. */
import type { JsonObject } from '../../../harness/index.ts';
import { oneLine } from '../printable.ts';

/** Arguments that name what a call touches, the most telling first. */
const telling = ['command', 'path', 'file', 'pattern', 'query', 'url', 'question', 'glob', 'name', 'id'];

/** One printable line, not clipped. */
export function callTarget(callArguments: JsonObject): string {
  for (const name of telling) {
    const value = callArguments[name];
    if (typeof value === 'string' && value !== '') return oneLine(value);
  }
  const entries = Object.entries(callArguments);
  return entries.length === 0 ? '' : oneLine(JSON.stringify(callArguments));
}
