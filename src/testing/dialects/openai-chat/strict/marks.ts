/** Checks the cache marks that some providers of this wire take: at most four, of known kinds, the longer-lived first. */
import type { JsonObject } from '../../../../core/index.ts';
import { isObject, objectsIn, type Findings } from '../../openai/index.ts';
import { contentParts } from '../shape.ts';

const mostMarks = 4;

export function* checkMarks(body: JsonObject): Findings {
  const messages = objectsIn(body['messages']);
  const parts = messages.flatMap((message) => objectsIn(contentParts(message['content'])));
  const marks = [...objectsIn(body['tools']), ...parts, body].flatMap(({ cache_control: mark }) => mark ?? []);
  if (marks.length > mostMarks) {
    yield { rule: 'marks', message: `At most ${mostMarks} cache_control marks may be given, not ${marks.length}.` };
  }
  let short = false;
  for (const mark of marks) {
    const ttl = isObject(mark) ? (mark['ttl'] ?? '5m') : undefined;
    if (!isObject(mark) || mark['type'] !== 'ephemeral' || (ttl !== '5m' && ttl !== '1h')) {
      yield { rule: 'marks', message: "cache_control has the type 'ephemeral' and a ttl of '5m' or '1h'." };
    }
    if (ttl === '1h' && short) {
      yield { rule: 'marks', message: "cache_control with a ttl of '1h' must not come after one of '5m'." };
    }
    short ||= ttl === '5m';
  }
}
