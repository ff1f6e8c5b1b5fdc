/** What must be true of a log, told from its lines alone: nothing of the code that keeps the record is used. */
import assert from 'node:assert/strict';
import { steeringText, type Event, type Usage } from '../../src/core/index.ts';
import type { RunOutcome } from '../../src/harness/index.ts';

export interface Account {
  turns: number;
  calls: number;
  /** Dollars: what replies and failures say, and the worst case of requests without an outcome. */
  spent: number;
  usage: Usage;
}

/** The raw lines of a log; a line that is no JSON (torn, say) holds nothing. */
export function rawLines(log: Buffer): Event[] {
  return log
    .toString()
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Event];
      } catch {
        return []; // A torn line is no event.
      }
    });
}

/** Recomputes the ledger from all lines, whatever branch they are on. */
export function accountOf(lines: readonly Event[]): Account {
  const reserved = new Map<string | null, number>();
  const started = new Set<string>();
  const account: Account = { turns: 0, calls: 0, spent: 0, usage: {} };
  for (const { id, kind, data } of lines) {
    if (kind === 'start') started.add(data.call);
    if (kind === 'request') reserved.set(id, data.reserved.cost ?? NaN);
    if (kind === 'reply') account.turns += 1;
    if (kind !== 'reply' && kind !== 'failure') continue;
    account.spent += data.cost ?? reserved.get(data.request) ?? NaN;
    reserved.delete(data.request);
    for (const [name, tokens] of Object.entries(data.usage ?? {}) as [keyof Usage, number][]) {
      account.usage[name] = (account.usage[name] ?? 0) + tokens;
    }
  }
  for (const cost of reserved.values()) account.spent += cost;
  account.calls = started.size;
  return account;
}

/** The ledger that a run reports is the one that its lines tell. */
export function assertLedger(outcome: RunOutcome, lines: readonly Event[]): void {
  const { turns, calls, spent, usage } = accountOf(lines);
  assert.deepEqual([outcome.turns, outcome.calls, outcome.usage], [turns, calls, usage]);
  assert.ok(Number.isFinite(spent), 'something in the log has no price');
  assert.ok(Math.abs((outcome.cost ?? NaN) - spent) < 1e-9, `${outcome.cost} dollars reported, ${spent} in the log`);
}

/**
 * What the log says that the model was told, it was told: each request's bytes hold everything that was said before it. Holds for a
 * log without branches and damage; `bodies` are those of its requests.
 */
export function assertTold(lines: readonly Event[], bodies: ReadonlyMap<string, Buffer>): void {
  const said: string[] = [];
  const held = new Map<string, string>();
  for (const { id, kind, data } of lines) {
    if (kind === 'input' && data.from === 'follow-up') held.set(id, data.text);
    else if (kind === 'input' && data.from !== 'harness') {
      said.push(JSON.stringify(data.from === 'steer' ? steeringText(data.text) : data.text));
    }
    if (kind === 'follow-up') said.push(JSON.stringify(held.get(data.input)));
    if (kind !== 'request') continue;
    const body = bodies.get(id)?.toString();
    assert.ok(body !== undefined, `request ${id} can't be put together`);
    for (const text of new Set(said)) {
      const times = said.filter((each) => each === text).length;
      assert.ok(body.split(text).length > times, `${text} was said before request ${id}, and isn't in it`);
    }
  }
}

/** The keys of all calls that replies hold. */
export function callsOf(lines: readonly Event[]): Set<string> {
  const keys = lines.flatMap((event) => {
    if (event.kind !== 'reply') return [];
    return event.data.parts.filter(({ type }) => type === 'call').map((_, index) => `${event.id}/${index}`);
  });
  return new Set(keys);
}

const keysOf = (lines: readonly Event[], kind: 'start' | 'result'): string[] =>
  lines.flatMap((event) => (event.kind === kind ? [event.data.call] : []));

export const startedIn = (lines: readonly Event[]): Set<string> => new Set(keysOf(lines, 'start'));
export const answeredIn = (lines: readonly Event[]): Set<string> => new Set(keysOf(lines, 'result'));

/** Every call of every reply has one result, none was started twice, and what was executed had been started, once. */
export function assertCalls(lines: readonly Event[], executed: readonly string[]): void {
  const results = keysOf(lines, 'result');
  const starts = keysOf(lines, 'start');
  assert.deepEqual(results.toSorted(), [...callsOf(lines)].toSorted(), 'not one result for each call');
  assert.equal(new Set(starts).size, starts.length, 'a call was started twice');
  assertOnce(executed);
  assert.deepEqual(
    executed.filter((key) => !starts.includes(key)),
    [],
    'executed without a start',
  );
}

export function assertOnce(executed: readonly string[], before: ReadonlySet<string> = new Set()): void {
  const twice = executed.filter((key, index) => before.has(key) || executed.indexOf(key) !== index);
  assert.deepEqual(twice, [], 'executed twice');
}
