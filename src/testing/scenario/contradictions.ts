/** What a schema can't say: parts of a scenario that contradict each other, or that could never be reached. */
import type { Scenario, ScriptedFailure, ScriptedReply, Stage, Turn, TurnRule } from './types.ts';

export interface Fault {
  /** Keys and indices from the scenario down to the part that is wrong. */
  path: (string | number)[];
  message: string;
}

export function findContradictions(scenario: Scenario): Fault[] {
  const faults: Fault[] = [];
  if (scenario.turns.length + (scenario.anyTurn?.length ?? 0) === 0 && !scenario.after) {
    faults.push({ path: ['turns'], message: 'must hold a turn: the scenario has no reply at all' });
  }
  const endless = scenario.turns.findIndex((turn) => turn.repeat === 'forever');
  if (endless >= 0 && endless < scenario.turns.length - 1) {
    faults.push({ path: ['turns', endless + 1], message: 'is never reached: the turn before it repeats forever' });
  }
  if (endless >= 0 && scenario.after) {
    faults.push({ path: ['after'], message: 'is never reached: the last turn repeats forever' });
  }
  scenario.turns.forEach((turn, index) => faults.push(...inTurn(turn, ['turns', index])));
  scenario.anyTurn?.forEach((rule, index) => faults.push(...inTurn(rule, ['anyTurn', index])));
  if (scenario.after) faults.push(...inReply(scenario.after, ['after']));
  return faults;
}

function inTurn(turn: Turn | TurnRule, path: Fault['path']): Fault[] {
  const failures = turn.failures ?? [];
  const faults = inReply(turn, path);
  failures.forEach((failure, index) => {
    const place = [...path, 'failures', index];
    if (failures[index - 1]?.times === 'forever') {
      faults.push({ path: place, message: 'is never reached: the failure before it lasts forever' });
    }
    if ('reply' in failure) faults.push(...inReply(failure.reply, [...place, 'reply']));
    if (needsHeaders(failure)) {
      faults.push({ path: place, message: 'can’t happen before the headers: there is no body yet' });
    }
    const lacking = partLacking(turn, stageOf(failure));
    if (lacking) faults.push({ path: place, message: `can’t happen: the reply has no ${lacking}` });
  });
  return faults;
}

function inReply(reply: ScriptedReply, path: Fault['path']): Fault[] {
  const faults: Fault[] = [];
  const simple = (['thinking', 'text', 'calls'] as const).filter((key) => reply[key] !== undefined);
  if (reply.raw && (reply.blocks || simple.length > 0)) {
    faults.push({ path: [...path, 'raw'], message: 'is the whole stream: it can’t stand beside other content' });
  }
  if (reply.blocks && simple.length > 0) {
    faults.push({ path: [...path, 'blocks'], message: `can’t stand beside ${simple.join(' and ')}` });
  }
  if (!reply.raw && !reply.blocks && simple.length === 0 && reply.stop === undefined) {
    faults.push({ path, message: 'is empty: give it content, or a stop if an empty reply is meant' });
  }
  const calls = [
    ...(reply.calls ?? []).map((call, index) => ({ call, place: ['calls', index] })),
    ...(reply.blocks ?? []).flatMap((block, index) =>
      'call' in block ? [{ call: block.call, place: ['blocks', index, 'call'] }] : [],
    ),
  ];
  for (const { call, place } of calls) {
    if (call.malformed === undefined || call.arguments === undefined) continue;
    faults.push({ path: [...path, ...place], message: 'has both arguments and malformed' });
  }
  return faults;
}

/** The point in the reply that a failure needs, if any. */
export function stageOf(failure: ScriptedFailure): Stage | undefined {
  if ('cut' in failure) return failure.cut;
  if ('silence' in failure) return failure.silence;
  return 'streamError' in failure ? failure.streamError : undefined;
}

function needsHeaders(failure: ScriptedFailure): boolean {
  if ('streamError' in failure) return failure.streamError === 'before-headers';
  return 'cut' in failure && failure.cut === 'before-headers' && failure.how === 'end';
}

/** What a reply would have to have for a stage to come, if it hasn't. */
function partLacking(reply: ScriptedReply, stage: Stage | undefined): string | undefined {
  if (reply.raw) return undefined;
  const has = (key: 'thinking' | 'text' | 'call') => (reply.blocks ?? []).some((block) => key in block);
  if (stage === 'in-thinking' && !reply.thinking && !has('thinking')) return 'thinking';
  if (stage === 'in-text' && (reply.text ?? []).length === 0 && !has('text')) return 'text';
  if (stage === 'in-call' && (reply.calls ?? []).length === 0 && !has('call')) return 'call';
  return undefined;
}
