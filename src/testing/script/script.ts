/** Chooses what to answer: which turn of a scenario a request has come to, and which attempt at it this is. */
import { ReinsError } from '../../core/index.ts';
import type { Scenario, ScriptedFailure, ScriptedReply, Turn, TurnRule } from '../scenario/index.ts';
import { blocksOf, fillIn, needsWorkspace } from './blocks.ts';
import { mismatch } from './match.ts';
import type { Question } from './question.ts';

export type Choice =
  | { kind: 'reply'; reply: ScriptedReply; place: string }
  | { kind: 'failure'; failure: Exclude<ScriptedFailure, { reply: unknown }>; reply: ScriptedReply; place: string }
  | { kind: 'refusal'; rule: 'over' | 'expectation'; message: string };

export interface ScriptOptions {
  /** What to put in the place of `${name}`; a scenario that mentions `${workspace}` needs that one. */
  values?: { [name: string]: string };
}

export class Script {
  readonly #scenario: Scenario;
  readonly #values: { [name: string]: string };
  readonly #attempts = new Map<string, number>();
  #served = 0;

  /** @throws ReinsError `scenario-invalid` when the scenario mentions `${workspace}` and has no value for it. */
  constructor(scenario: Scenario, options: ScriptOptions = {}) {
    this.#scenario = scenario;
    this.#values = options.values ?? {};
    if (this.#values['workspace'] === undefined && needsWorkspace(scenario)) {
      throw new ReinsError('scenario-invalid', 'The scenario mentions ${workspace}, and no workspace is given.');
    }
  }

  /** What to answer to this request; it counts as an attempt at its turn. */
  choose(question: Question): Choice {
    const ruleIndex = this.#ruleFor(question, question.messages.length);
    const position = ruleIndex < 0 ? this.#position(question) : 0;
    const turn = this.#scenario.anyTurn?.[ruleIndex] ?? this.#turnAt(position);
    if (!turn) return { kind: 'refusal', rule: 'over', message: `the scenario has no turn ${position + 1}` };
    const place = ruleIndex < 0 ? `turn ${position + 1}` : `rule ${ruleIndex + 1}`;
    const wrong = turn.expect && mismatch(turn.expect, question);
    if (wrong !== undefined) {
      return { kind: 'refusal', rule: 'expectation', message: `${place} of the scenario: ${wrong}` };
    }
    const key = `${place} after ${question.messages.length}`;
    const attempt = this.#attempts.get(key) ?? 0;
    this.#attempts.set(key, attempt + 1);
    const failure = failureAt(turn.failures ?? [], attempt);
    if (!failure) {
      if (ruleIndex < 0) this.#served += 1;
      return { kind: 'reply', reply: fillIn(turn, this.#values), place };
    }
    if ('reply' in failure) return { kind: 'reply', reply: fillIn(failure.reply, this.#values), place };
    return { kind: 'failure', failure, reply: fillIn(turn, this.#values), place };
  }

  /** Whether the conversation rightly ends with the model's own words, because the turn before paused. */
  isPaused(question: Question): boolean {
    if (question.messages.at(-1)?.role !== 'assistant') return false;
    return this.#turnAt(this.#position(question) - 1)?.stop === 'pause';
  }

  /** The first rule that fits the conversation up to a message; -1 when none does. */
  #ruleFor(question: Question, end: number): number {
    const asked = { ...question, messages: question.messages.slice(0, end) };
    return (this.#scenario.anyTurn ?? []).findIndex((rule) => mismatch(rule.when, asked) === undefined);
  }

  /** How many turns of the script the conversation has behind it. */
  #position(question: Question): number {
    if (this.#scenario.position === 'count') return this.#served;
    let position = 0;
    for (const [index, message] of question.messages.entries()) {
      if (message.role !== 'assistant' || this.#ruleFor(question, index) >= 0) continue;
      position += 1;
      // What goes on after a pause may come back joined to it, as one message with the blocks of both.
      let blocks = message.blocks;
      for (let turn = this.#turnAt(position - 1); turn?.stop === 'pause'; turn = this.#turnAt(position - 1)) {
        blocks -= Math.max(1, blocksOf(turn).length);
        if (blocks <= 0) break;
        position += 1;
      }
    }
    return position;
  }

  /** The turn at a position, counted from 0, repetitions included. */
  #turnAt(position: number): Turn | TurnRule | undefined {
    let left = position;
    for (const turn of this.#scenario.turns) {
      const times = turn.repeat === 'forever' ? Infinity : (turn.repeat ?? 1);
      if (left < times) return turn;
      left -= times;
    }
    return this.#scenario.after;
  }
}

/** What happens to an attempt, counted from 0; undefined when it succeeds. */
function failureAt(failures: ScriptedFailure[], attempt: number): ScriptedFailure | undefined {
  let left = attempt;
  for (const failure of failures) {
    const times = failure.times === 'forever' ? Infinity : (failure.times ?? 1);
    if (left < times) return failure;
    left -= times;
  }
  return undefined;
}
