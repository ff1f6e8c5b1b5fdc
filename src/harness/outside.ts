/** The joint for whoever reaches a session from outside: through its holder, or into its log where nobody holds it. */
import { placesOf } from '../config/index.ts';
import {
  foldAll,
  ReinsError,
  type EventData,
  type JsonObject,
  type Mode,
  type Scope,
  type View,
} from '../core/index.ts';
import { deliver, pathOf, readLog, scan, sessionFolder, type InboxMessage } from '../session/index.ts';
import { refuseSecrets } from './admission.ts';
import { sessionId } from './reader.ts';
import { secretsOutside } from './secrets.ts';
import type { OpenQuestion } from './types.ts';

const longestTitle = 200;

/** Characters of what is pinned: it stays for good, so it must not fill the window. */
const longestPin = 2_000;

type Variables = { readonly [name: string]: string | undefined };

/** Each resolves to a sentence of what happened. Reject with `session-missing`. `pinned`: every compaction keeps it word for word (docs/compaction.md). */
export function sayTo(
  env: Variables | undefined,
  id: string,
  text: string,
  { from = 'user', pinned = false }: { from?: 'user' | 'steer' | 'follow-up'; pinned?: boolean } = {},
): Promise<string> {
  if (text.trim() === '') throw new ReinsError('usage-arguments', 'There is nothing to say.');
  if (pinned && text.length > longestPin)
    throw new ReinsError('usage-arguments', `What is pinned may have ${longestPin} characters at most.`);
  return send(env, id, { kind: 'input', data: { from, text, ...(pinned && { pinned }) } });
}

/** Gives a session a title; an empty one takes that back. */
export function titleSession(env: Variables | undefined, id: string, title: string): Promise<string> {
  const text = title.trim();
  if (text.includes('\n') || text.length > longestTitle) {
    throw new ReinsError('usage-arguments', `A title is one line of at most ${longestTitle} characters.`);
  }
  return send(env, id, { kind: 'title', data: { text, by: 'reins title' } });
}

export function cancelSession(env: Variables | undefined, id: string): Promise<string> {
  return send(env, id, { kind: 'cancel', data: { by: 'reins cancel' } });
}

export interface OutsideAnswer {
  /** The question; the only open one when left out. */
  ask?: string;
  decision: 'yes' | 'no';
  scope: Scope;
  reason?: string;
  /** With yes: what takes the place of arguments of the call. */
  arguments?: JsonObject;
  /** With yes to a plan: one of the modes that its question offers. */
  mode?: Mode;
}

/** The questions that wait for an answer, in the order in which they were asked. Rejects with `session-missing`. */
export function openQuestions(env: Variables | undefined, id: string): OpenQuestion[] {
  return [...viewOf(folderOf(env, id)).ledger.openAsks].map(([ask, data]) => ({ id: ask, ...data }));
}

/** Rejects with `question-missing` and `already-answered`; with `usage-arguments` where several are open and none is named. */
export async function answerQuestion(env: Variables | undefined, id: string, answer: OutsideAnswer): Promise<string> {
  const ask = answer.ask ?? onlyQuestion(folderOf(env, id), id);
  const { decision, scope, reason, arguments: args, mode } = answer;
  const edited = args !== undefined && { arguments: args };
  const data = {
    ask,
    by: 'reins answer',
    decision,
    scope,
    ...(reason !== undefined && { reason }),
    ...edited,
    ...(mode !== undefined && { mode }),
  };
  const open = viewOf(folderOf(env, id)).ledger.openAsks.get(ask);
  if (args?.['command'] !== undefined && open !== undefined && open.command === undefined) {
    throw new ReinsError('usage-arguments', `Question ${ask} is about no command (${open.tool}).`);
  }
  if (open !== undefined) refuseStrangeMode(ask, open, answer);
  // In its first line, so that whoever answers sees what was answered.
  const question = open?.question.split('\n')[0];
  const sent = await send(env, id, { kind: 'answer', data });
  return question === undefined ? sent : `${sent} It answers: ${question}`;
}

/** A plan is answered for once, and only in a mode that it offers. */
function refuseStrangeMode(ask: string, { plan }: EventData['ask'], { mode, scope }: OutsideAnswer): void {
  const wrong = (text: string) => new ReinsError('usage-arguments', `Question ${ask} ${text}.`);
  if (plan !== undefined && scope !== 'once') throw wrong('is about a plan, which is accepted once');
  if (mode === undefined) return;
  if (plan === undefined) throw wrong('is about no plan: its answer has no mode');
  if (!plan.modes.includes(mode)) throw wrong(`offers the modes ${plan.modes.join(', ')}, not ${mode}`);
}

function viewOf(folder: string): View {
  return foldAll(readLog(folder), pathOf(scan(folder)));
}

function onlyQuestion(folder: string, id: string): string {
  const open = viewOf(folder).ledger.openAsks;
  const [first, ...more] = [...open.keys()];
  if (first === undefined) throw new ReinsError('question-missing', `No question is open in session ${id}.`);
  if (more.length === 0) return first;
  const list = [...open].map(([ask, { question }]) => `${ask}: ${question}`).join('\n');
  throw new ReinsError('usage-arguments', `Several questions are open; name one with --ask:\n${list}\n`);
}

async function send(env: Variables | undefined, id: string, message: InboxMessage): Promise<string> {
  if (['input', 'answer', 'title'].includes(message.kind)) refuseIn(env, id, JSON.stringify(message.data));
  const delivered = await deliver(folderOf(env, id), message, { now: () => Date.now() });
  if ('event' in delivered) return `Recorded in session ${id}, which nobody is driving now.`;
  const holder = delivered.holder === undefined ? '' : ` (process ${delivered.holder})`;
  return `Left for the process that drives session ${id}${holder}.`;
}

function folderOf(env: Variables | undefined, id: string): string {
  return sessionFolder(placesOf(env).state, sessionId(env, id));
}

/** Before it is left anywhere: whoever holds the session may take it at any moment. */
function refuseIn(env: Variables | undefined, id: string, text: string): void {
  const { session } = scan(folderOf(env, id));
  refuseSecrets(text, secretsOutside(env, session?.workspace ?? ''));
}
