/** act(action): performs what was decided, through the ports. One function an action. */
import { compact } from './compact.ts';
import type { Action } from './decide.ts';
import type { CallKey, EventData, EventId } from './events.ts';
import type { Check } from './setup.ts';
import type { CheckOutcome, ModelOutcome, OpenCall, PreparedRequest } from './ports.ts';
import { judgeRefusalsAtMost } from './judgement.ts';
import type { Loop } from './loop.ts';
import { timeoutOf } from './questions.ts';
import { lastSegment, openCalls } from './transcript.ts';

type Performed = Exclude<Action, { do: 'stop' } | { do: 'wait' }>;

export async function act(loop: Loop, action: Performed, signal: AbortSignal): Promise<void> {
  switch (action.do) {
    case 'ask-model':
      return askModel(loop, action, signal);
    case 'run-calls': {
      const calls = callsOf(loop, action.calls);
      return loop.ports.calls.run(calls, loop.recorder.record, signal, loop.notify);
    }
    case 'answer-calls':
      return answerCalls(loop, action);
    case 'expire':
      for (const ask of action.asks) await loop.recorder.recordIf(({ ledger }) => timeoutOf(ledger, ask));
      return;
    case 'check':
      return runChecks(loop, action, signal);
    case 'compact':
      await compact(loop, action, signal);
      return;
    case 'judge':
      return judge(loop, action.goal, signal);
    case 'weigh':
      return weigh(loop);
    case 'snapshot':
      return snapshot(loop, false);
    case 'review-plan':
      return reviewPlan(loop);
    case 'notice': {
      const { do: _, ...notice } = action;
      await loop.recorder.record({ kind: 'notice', data: { ...notice, level: 'warning' } });
      return;
    }
    case 'follow-up':
      await loop.recorder.record({ kind: 'follow-up', data: { input: action.input } });
      return;
    case 'note':
      await loop.recorder.record({ kind: 'input', data: { from: 'harness', text: action.text, code: action.code } });
  }
}

const emptyPlan = 'plan-empty';

/** The question stands in the log like any other, and waits there for its answer. */
async function reviewPlan({ recorder, readPlan }: Loop): Promise<void> {
  const { view, record } = recorder;
  const { setup, transcript, noted } = view;
  const plan = await readPlan?.();
  if (plan === undefined && !noted.has(emptyPlan)) {
    const text = `There is no plan in ${setup?.planFile}: write it there, then end your turn.`;
    await record({ kind: 'input', data: { from: 'harness', code: emptyPlan, text } });
    return;
  }
  const asked = plan ?? { file: setup?.planFile ?? '', text: '', modes: ['ask'] };
  const question = `Accept this plan? The work would go on in mode ${orList(asked.modes)}.`;
  const call = `${lastSegment(transcript).id}/plan`;
  await record({ kind: 'ask', data: { call, tool: 'plan', question, plan: asked } });
}

function orList(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter((part) => part !== '').join(' or ');
}

type AskModelAction = Extract<Action, { do: 'ask-model' }>;

/** While the model answers, the workspace is described once a run, so that later changes can be told. */
async function askModel(loop: Loop, action: AskModelAction, signal: AbortSignal): Promise<void> {
  const recorded = await recordRequest(loop, action);
  if (recorded === undefined) return;
  const { request, id } = recorded;
  const sending = loop.ports.model.send(request, id, signal, loop.notify);
  const others = Promise.all([loop.recorder.sync(), baseline(loop)]);
  // What ends the run is recorded after what was under way beside it.
  const sent = sending.catch(async (error: unknown) => {
    await others;
    throw error;
  });
  const [outcome] = await Promise.all([sent, others]);
  await recordOutcome(loop, id, outcome);
}

export interface Recorded {
  request: PreparedRequest;
  id: EventId;
}

/**
 * Records the intent to ask; what is sent is durable before it leaves. Undefined, and no request is recorded, when there are news to
 * be told first, or when something came in while the bytes were made: they lack it, and the log would say that they have it.
 */
export async function recordRequest(loop: Loop, { do: _, ...ask }: AskModelAction): Promise<Recorded | undefined> {
  const { recorder, ports } = loop;
  const news = (await loop.news?.(recorder.view)) ?? [];
  for (const draft of news) await recorder.record(draft);
  // What it adds may be more than the window or a limit has room for: that is decided anew.
  if (news.length > 0) return undefined;
  const { head } = recorder.view;
  // What the model will see is durable before it is sent; the disk works while the bytes are made.
  const [request] = await Promise.all([ports.model.prepare(recorder.view, ask), recorder.sync()]);
  const event = await recorder.recordAfter(head, { kind: 'request', data: request.data });
  return event === undefined ? undefined : { request, id: event.id };
}

export async function recordOutcome(loop: Loop, request: EventId, outcome: ModelOutcome): Promise<void> {
  if (outcome.kind === 'reply') {
    await loop.recorder.record({ kind: 'reply', data: { request, ...outcome.data } });
    return;
  }
  await loop.recorder.record({ kind: 'failure', data: { request, ...outcome.data } });
  loop.notify({ type: 'void', request });
}

export async function baseline(loop: Loop): Promise<void> {
  const { checkpointInRun, unresolved } = loop.recorder.view.ledger;
  if (checkpointInRun || unresolved) return;
  const { changed: _, ...data } = await loop.ports.verifier.snapshot(loop.recorder.view);
  await loop.recorder.record({ kind: 'checkpoint', data });
}

export async function snapshot(loop: Loop, afterCheck: boolean): Promise<void> {
  const data = await loop.ports.verifier.snapshot(loop.recorder.view);
  await loop.recorder.record({ kind: 'checkpoint', data: afterCheck ? { ...data, afterCheck } : data });
}

export async function answerCalls(loop: Loop, action: Extract<Action, { do: 'answer-calls' }>): Promise<void> {
  const { outcome, text } = action;
  const unknown = outcome === 'interrupted' ? { mayHaveChanged: true } : {};
  for (const { key: call, name: tool } of callsOf(loop, action.calls)) {
    await loop.recorder.record({ kind: 'result', data: { call, tool, outcome, text, ...unknown } });
  }
}

async function weigh({ recorder, ports }: Loop): Promise<void> {
  const covers = recorder.view.head ?? '';
  const said = await ports.verifier.ownChecks(recorder.view);
  await recorder.record({ kind: 'own-checks', data: { covers, ...said } });
}

/** What is missing goes back to the model, so often and no oftener. */
async function judge({ recorder, ports }: Loop, goal: string, signal: AbortSignal): Promise<void> {
  const covers = recorder.view.head ?? '';
  const said = (await ports.judge?.judge(recorder.view, goal, signal)) ?? { reason: 'there is no judge here' };
  if (signal.aborted) return;
  const goesOn = said.ruling === 'not-yet' && recorder.view.ledger.judgeRefusals < judgeRefusalsAtMost;
  const shown = `A judge, who sees the evidence and the changes and not what you say, finds the goal not met yet: ${said.reason}`;
  await recorder.record({ kind: 'judgement', data: { goal, covers, ...said, ...(goesOn && { shown }) } });
}

type CheckAction = Extract<Action, { do: 'check' }>;

async function runChecks(loop: Loop, { checks, early }: CheckAction, signal: AbortSignal): Promise<void> {
  const covers = loop.recorder.view.head ?? '';
  for (const check of checks) {
    const outcome = await loop.ports.verifier.check(check, signal, loop.notify);
    if (signal.aborted) return;
    await recordEvidence(loop, check, { covers, ...(early && { early }) }, outcome);
  }
  await snapshot(loop, true);
}

/** What is only advice is told to the model while it works, and doesn't keep it at work. */
export async function recordEvidence(
  loop: Loop,
  check: Check,
  at: Pick<EventData['evidence'], 'covers' | 'early'>,
  { shown, ...outcome }: CheckOutcome,
): Promise<void> {
  const { command, paths, advisory = false } = check;
  const redefined = await loop.ports.verifier.definersChanged([check], loop.recorder.view);
  const isTold = shown !== undefined && (!advisory || at.early === true);
  const data: EventData['evidence'] = {
    command,
    ...at,
    ...outcome,
    ...(paths !== undefined && { paths }),
    ...(advisory && { advisory }),
    ...(isTold && { shown }),
    ...(redefined.length > 0 && { definersChanged: redefined.map(({ path: changed }) => changed), redefined }),
  };
  await loop.recorder.record({ kind: 'evidence', data });
}

function callsOf(loop: Loop, keys: CallKey[]): OpenCall[] {
  return openCalls(loop.recorder.view.transcript).filter((call) => keys.includes(call.key));
}
