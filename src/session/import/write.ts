/** A history of another harness as a session: inputs, replies that nobody here asked for, results; nothing was started here. */
import { recordLost, type Admit, type Draft, type Event, type EventId, type ReplyStop } from '../../core/index.ts';
import type { Session } from '../session.ts';
import type { ForeignReply, History, Item } from './history.ts';

/**
 * The conversation that goes on, and as named branches those that were left. Calls without a result are answered as lost, so that none
 * is open; `last` is recorded behind all, given the number of those.
 */
export async function writeHistory(
  session: Session,
  { history, branches }: { history: History; branches: readonly History[] },
  admit: Admit,
  last: (lost: number) => Draft,
): Promise<void> {
  const writer = new Writer(session, admit);
  const tips = await writer.items(history.items);
  const end = writer.head;
  for (const [index, { items }] of branches.entries()) {
    const shared = sharedItems(history.items, items);
    const from = tips[shared - 1] ?? session.skeleton.head;
    await writer.move(from, items[shared]?.at ?? Date.now(), `imported-${index + 1}`);
    await writer.items(items.slice(shared));
  }
  if (branches.length > 0) await writer.move(end, Date.now(), mainBranch);
  await writer.append(Date.now(), last(writer.lost));
  await session.sync();
}

const mainBranch = 'main';

/** How many items from the first on are the same. */
function sharedItems(main: readonly Item[], branch: readonly Item[]): number {
  const different = branch.findIndex((item, index) => wordsOf(item) !== wordsOf(main[index]));
  return different < 0 ? branch.length : different;
}

function wordsOf(item: Item | undefined): string {
  if (item?.kind !== 'reply') return JSON.stringify([item?.by, item?.text]);
  return JSON.stringify([item.source, item.parts, [...item.results].map(([place, { text }]) => [place, text])]);
}

class Writer {
  head: EventId | null;
  lost = 0;
  readonly #session: Session;
  readonly #admit: Admit;

  constructor(session: Session, admit: Admit) {
    this.#session = session;
    this.#admit = admit;
    this.head = session.skeleton.head;
  }

  readonly append = async (at: number, draft: Draft): Promise<Event> => {
    const event = await this.#session.append({ parent: this.head, at, ...this.#admit(draft) });
    this.head = event.id;
    return event;
  };

  /** What follows goes on from an event, under the name of a branch. */
  async move(to: EventId | null, at: number, branch: string): Promise<void> {
    const from = this.head;
    this.head = to;
    if (from !== null) await this.append(at, { kind: 'head', data: { from, why: 'move', branch } });
  }

  /** Gives the last event of each item. */
  async items(items: readonly Item[]): Promise<(EventId | null)[]> {
    const tips: (EventId | null)[] = [];
    for (const item of items) {
      if (item.kind === 'said') await this.append(item.at, saidIn(item));
      else this.lost += await writeReply(item, this.append);
      tips.push(this.head);
    }
    return tips;
  }
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
