/** The joint between the inbox of a session and its log: what is dropped from outside is recorded at any moment. */
import { isOver, ReinsError, type Event, type Ledger, type Recorder } from '../core/index.ts';
import { draftOf, type Delivery, type Inbox, type InboxMessage } from '../session/index.ts';
import { systemClock } from './clock.ts';

/** Takes in what waits and whatever comes, until it is ended. What waits is recorded when `ready` resolves. */
export function attachInbox(inbox: Inbox, recorder: Recorder): { ready: Promise<void>; end(): Promise<void> } {
  let draining: Promise<void> = Promise.resolve();
  const drain = (): Promise<void> => {
    // A log that can't be written stops the run by itself; what waits in the inbox is still there then.
    draining = draining.then(() => takeAll(inbox, recorder)).catch(() => undefined);
    return draining;
  };
  const ready = drain();
  const unwatch = inbox.watch(() => void drain());
  return {
    ready,
    end: async () => {
      unwatch();
      await draining;
    },
  };
}

/** Records what waits. */
export async function takeAll(inbox: Inbox, recorder: Recorder): Promise<void> {
  const { deliveries, rejections } = await inbox.drain((name) => recorder.view.ledger.messages.has(name));
  for (const { name, why } of rejections) {
    const text = `A message in the inbox was no message (${name}: ${why}); it was moved aside.`;
    await recorder.record({ kind: 'notice', data: { code: 'inbox-rejected', level: 'warning', text } });
  }
  for (const delivery of deliveries) await takeOne(delivery, recorder);
}

/** What holds a secret is not recorded, and not kept either: the notice takes its place. */
async function refused(error: unknown, recorder: Recorder): Promise<Event> {
  if (!(error instanceof ReinsError) || error.code !== 'secret-given') throw error;
  return recorder.record({ kind: 'notice', data: { code: error.code, level: 'warning', text: error.message } });
}

/** What a person says while a run works steers it, unless they say otherwise. */
function heard(message: InboxMessage, { resting }: Ledger): InboxMessage {
  if (message.kind !== 'input' || message.data.from !== 'user' || resting) return message;
  return { kind: 'input', data: { ...message.data, from: 'steer' } };
}

async function takeOne(delivery: Delivery, recorder: Recorder): Promise<void> {
  const { message, name } = delivery;
  const event = await recorder
    .recordIf(({ ledger }) => {
      const ask = message.kind === 'answer' ? message.data.ask : undefined;
      const isLate = ask !== undefined && (!ledger.openAsks.has(ask) || isOver(ledger, ask, systemClock.now()));
      if (!isLate) return draftOf(heard(message, ledger), name);
      const text = `An answer to question ${ask} came too late: it is not open.`;
      return { kind: 'notice', data: { code: 'already-answered', level: 'warning', text } };
    })
    .catch((error: unknown) => refused(error, recorder));
  if (event === undefined) return;
  await recorder.sync();
  await delivery.taken();
}
