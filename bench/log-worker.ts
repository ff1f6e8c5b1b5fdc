/**
 * One measurement of the session log in a process of its own: `write STATE EVENTS`, `open STATE ID` or `fold STATE ID`. It goes past
 * the doors to the joint that opens a record, because that is what is measured. The last line of its output is the result as JSON.
 */
import { statSync } from 'node:fs';
import {
  decide,
  defaultRules,
  fold,
  View,
  type Draft,
  type Event,
  type EventData,
  type SetupData,
} from '../src/core/index.ts';
import { openRecord } from '../src/harness/record.ts';
import { createSession, readLog, sessionFolder, type Session } from '../src/session/index.ts';
import { mean, median } from './measure/statistics.ts';

const workspace = '/bench/workspace';
const source = { wire: 'anthropic', model: 'bench' };
const text = 'The quick brown fox jumps over the lazy dog, and so on to the end of the line.\n';
const eventsInTurn = 5;

async function write(state: string, count: number) {
  const session = await createSession(state, { workspace, reins: 'bench', at: Date.now() });
  const append = appender(session);
  await append({ kind: 'setup', data: setup });
  await append({ kind: 'input', data: { from: 'user', text: 'Go on.' } });
  const perEvent: number[] = [];
  for (let turn = 1; turn <= count / eventsInTurn; turn += 1) {
    const began = performance.now();
    await appendTurn(append, turn);
    perEvent.push(((performance.now() - began) * 1000) / eventsInTurn);
  }
  const durable: number[] = [];
  for (let index = 0; index < 50; index += 1) {
    const began = performance.now();
    await append({ kind: 'notice', data: { code: 'bench', level: 'info', text } });
    await session.sync();
    durable.push(performance.now() - began);
  }
  await session.close();
  const { size } = statSync(session.file);
  const slices = { early: perEvent.slice(200, 1_200), late: perEvent.slice(-1_000) };
  return {
    id: session.id,
    bytes: size,
    append: median(perEvent),
    appendEarly: mean(slices.early),
    appendLate: mean(slices.late),
    durable: median(durable),
  };
}

type Append = (draft: Draft) => Promise<Event>;

function appender(session: Session): Append {
  let parent = session.skeleton.head;
  return async (draft) => {
    const event = await session.append({ parent, at: Date.now(), ...draft });
    parent = event.id;
    return event;
  };
}

const setup: SetupData = {
  reins: 'bench',
  provider: 'anthropic',
  ...source,
  settings: {},
  abilities: {
    images: true,
    efforts: [],
    thinking: 'none',
    sampling: true,
    systemMessages: false,
    edits: 'replace',
  },
  maxOutput: 16_000,
  system: [text],
  tools: [],
  mode: 'auto',
  limits: { turns: null, calls: null, minutes: null, cost: null, outputTokens: 16_000 },
  retries: { attempts: 10, minutes: 15, brokenStream: 4, firstPause: 500 },
  checks: 'waived',
  // All of it is on the live path: a window that it fills would be a matter for a compaction, at every event.
  window: 1_000_000_000,
};

async function appendTurn(append: Append, turn: number): Promise<void> {
  const command = `grep --line-number quick src/file-${turn}.ts`;
  const fingerprint = String(turn).padStart(64, '0');
  const sent: EventData['request'] = {
    turn,
    attempt: 1,
    source,
    fingerprint,
    base: null,
    kept: 0,
    tail: text.repeat(12),
    bytes: 1_000,
    extends: true,
    reserved: { input: 1_000, output: 16_000 },
  };
  const request = await append({ kind: 'request', data: sent });
  const call = { type: 'call' as const, id: `toolu_${turn}`, name: 'shell', arguments: { command } };
  const reply = await append({
    kind: 'reply',
    data: {
      request: request.id,
      source,
      parts: [{ type: 'text', text: text.repeat(2) }, call],
      stop: 'calls',
      usage: { input: 1_000, output: 50 },
      cost: 0,
      firstByte: 500,
      elapsed: 1_500,
    },
  });
  const key = `${reply.id}/0`;
  const judged = { decision: 'allow', by: 'mode:auto', reason: 'The sandbox holds it.' } as const;
  await append({
    kind: 'verdict',
    data: { call: key, tool: 'shell', ...judged, arguments: { command }, resources: 'unknown', shape: 'grep *' },
  });
  await append({ kind: 'start', data: { call: key, tool: 'shell' } });
  const found = { outcome: 'ok', text: text.repeat(15), exit: 0, elapsed: 3 } as const;
  await append({ kind: 'result', data: { call: key, tool: 'shell', ...found } });
}

async function open(state: string, id: string) {
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const { session, view } = await openRecord(state, id, workspace);
  const elapsed = performance.now() - began;
  const after = process.memoryUsage().rss;
  const held = view.transcript.segments.length;
  await session.close();
  const peak = process.resourceUsage().maxRSS / 1024;
  const megabyte = 1024 * 1024;
  return { elapsed, grown: (after - before) / megabyte, peak, held };
}

/** Microseconds an event for folding it and deciding after it, early in the session and at its end. */
function foldAndDecide(state: string, id: string) {
  const events: Event[] = [];
  for (const item of readLog(sessionFolder(state, id))) if (!('damage' in item)) events.push(item);
  const view = new View();
  const step = (event: Event) => {
    fold(view, event);
    decide(view, defaultRules, event.at);
  };
  const slice = 1_000;
  const costs: number[] = [];
  for (let from = 0; from + slice <= events.length; from += slice) {
    const began = performance.now();
    for (const event of events.slice(from, from + slice)) step(event);
    costs.push(((performance.now() - began) * 1000) / slice);
  }
  // The first slices are left out: they pay for compiling.
  return { early: costs.slice(5, 15), late: costs.slice(-10) };
}

const [, , task, state = '', argument = ''] = process.argv;
const tasks: { [name: string]: () => unknown } = {
  write: () => write(state, Number(argument)),
  open: () => open(state, argument),
  fold: () => foldAndDecide(state, argument),
};
const chosen = tasks[task ?? ''];
if (chosen === undefined) throw new Error(`There is no task ${task}.`);
console.log(JSON.stringify(await chosen()));
