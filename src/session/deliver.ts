/** Brings a message from outside into a session: through whoever holds it, or into its log where nobody does. */
import { basename } from 'node:path';
import { foldLedger, isOver, Ledger, logFormat, ReinsError, type Draft, type Event } from '../core/index.ts';
import { drop } from './inbox.ts';
import { draftOf, type InboxMessage, type MessageName } from './inbox-message.ts';
import { holderOf } from './lock.ts';
import { readLog } from './read.ts';
import { openIn, type Session } from './session.ts';

/** What became of a message: recorded, or left for the process that holds the session. */
export type Delivered = { event: Event } | { left: MessageName; holder: number | undefined };

export interface DeliverOptions {
  /** Milliseconds since the epoch. */
  now: () => number;
  toDraft?: (message: InboxMessage, name: MessageName) => Draft;
}

/**
 * Delivers a message. An answer to a question that isn't open rejects with `question-missing` or `already-answered`, and leaves
 * nothing behind; so does a log of a newer Reins, with `session-newer`. Other messages that wait are recorded with it.
 */
export async function deliver(
  folder: string,
  message: InboxMessage,
  { now, toDraft = draftOf }: DeliverOptions,
): Promise<Delivered> {
  refuse(ledgerOf(folder), message, now());
  const name = await drop(folder, message);
  const session = await openUnlessHeld(folder);
  if (session === undefined) return { left: name, holder: holderOf(folder) };
  try {
    return await takeIn(session, name, { now, toDraft });
  } finally {
    await session.close();
  }
}

async function openUnlessHeld(folder: string): Promise<Session | undefined> {
  try {
    return await openIn(folder, basename(folder));
  } catch (error) {
    if (error instanceof ReinsError && error.code === 'session-busy') return undefined;
    throw error;
  }
}

/** Records what waits in the inbox of a session that nobody else holds; gives the event of the message of this name. */
async function takeIn(
  session: Session,
  own: MessageName,
  { now, toDraft }: Required<DeliverOptions>,
): Promise<Delivered> {
  const ledger = ledgerOf(session.folder);
  let parent = session.skeleton.head;
  const record = async (draft: Draft): Promise<Event> => {
    const event = await session.append({ parent, at: now(), ...draft });
    parent = event.id;
    foldLedger(ledger, event);
    return event;
  };
  const { deliveries, rejections } = await session.inbox.drain((name) => ledger.messages.has(name));
  for (const { name, why } of rejections) await record(notice(`The inbox message ${name} is malformed: ${why}.`));
  let delivered: Event | undefined;
  let refused: ReinsError | undefined;
  for (const delivery of deliveries) {
    const refusal = refusalOf(ledger, delivery.message, now());
    if (refusal === undefined) {
      const event = await record(toDraft(delivery.message, delivery.name));
      await session.sync();
      await delivery.taken();
      if (delivery.name === own) delivered = event;
    } else if (delivery.name === own) {
      refused = refusal;
      await delivery.taken();
    } else {
      await delivery.reject();
      await record(notice(`The inbox message ${delivery.name} can’t be taken: ${refusal.detail}`));
    }
  }
  await session.sync();
  if (refused !== undefined) throw refused;
  // Whoever held the session for a moment may have taken it before us.
  return delivered === undefined ? { left: own, holder: undefined } : { event: delivered };
}

function notice(text: string): Draft {
  return { kind: 'notice', data: { code: 'inbox-rejected', level: 'warning', text } };
}

/** The ledger of a log that may be continued; throws `session-newer` for another. */
function ledgerOf(folder: string): Ledger {
  const ledger = new Ledger();
  for (const item of readLog(folder)) {
    if ('damage' in item) continue; // Its line is lost, and its damage is for the driver to tell.
    if (item.kind === 'session' && item.data.format > logFormat) {
      throw new ReinsError('session-newer', `The log in ${folder} has format ${item.data.format}.`);
    }
    foldLedger(ledger, item);
  }
  return ledger;
}

/** Why a message can't be recorded; undefined when it can. */
function refusalOf(ledger: Ledger, message: InboxMessage, now: number): ReinsError | undefined {
  if (message.kind !== 'answer') return undefined;
  const { ask } = message.data;
  if (isOver(ledger, ask, now)) {
    const detail = `The time for an answer to question ${ask} is over: it counts as a no.`;
    return new ReinsError('already-answered', detail);
  }
  if (ledger.openAsks.has(ask)) return undefined;
  if (ledger.answers.has(ask)) return new ReinsError('already-answered', `The question ${ask} was answered before.`);
  return new ReinsError('question-missing', `The question ${ask} isn’t open.`);
}

function refuse(ledger: Ledger, message: InboxMessage, now: number): void {
  const refusal = refusalOf(ledger, message, now);
  if (refusal !== undefined) throw refusal;
}
