/** A history of another harness as a session: inputs, replies that nobody here asked for, results; nothing was started here. */
import { recordLost, type Admit, type Draft, type Event, type EventId, type ReplyStop } from '../../core/index.ts';
import type { Session } from '../session.ts';
import type { ForeignReply, History, Item } from './history.ts';

/** Calls without a result are answered as lost, so that none is open; `last` is recorded behind all, given the number of those. */
export async function writeHistory(
  session: Session,
  { items }: History,
  admit: Admit,
  last: (lost: number) => Draft,
): Promise<void> {
  let parent: EventId | null = session.skeleton.head;
  let lost = 0;
  const append = async (at: number, draft: Draft): Promise<Event> => {
    const event: Event = await session.append({ parent, at, ...admit(draft) });
    parent = event.id;
    return event;
  };
  for (const item of items) {
    if (item.kind === 'said') await append(item.at, saidIn(item));
    else lost += await writeReply(item, append);
  }
  await append(Date.now(), last(lost));
  await session.sync();
}

function saidIn({ by, text }: Extract<Item, { kind: 'said' }>): Draft {
  const data = by === 'person' ? { from: 'user' as const, text } : { from: 'harness' as const, text, code: 'imported' };
  return { kind: 'input', data };
}

async function writeReply(
  { at, source, parts, results }: ForeignReply,
  append: (at: number, draft: Draft) => Promise<Event>,
): Promise<number> {
  const calls = parts.filter((part) => part.type === 'call');
  const stop: ReplyStop = calls.length > 0 ? 'calls' : 'end';
  const { id } = await append(at, {
    kind: 'reply',
    data: { request: null, source, parts, stop, firstByte: 0, elapsed: 0 },
  });
  for (const [index, { name }] of calls.entries()) {
    const result = results.get(index) ?? { at, text: recordLost, error: true };
    const outcome = results.has(index) ? (result.error ? 'error' : 'ok') : 'interrupted';
    const data = { call: `${id}/${index}`, tool: name, outcome, text: result.text } as const;
    await append(Math.max(at, result.at), { kind: 'result', data });
  }
  return calls.length - results.size;
}
