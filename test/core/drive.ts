/** A loop over a log in memory with a scripted model: the core alone, through its own door. */
import {
  defaultRules,
  foldAll,
  Recorder,
  type View,
  type Approver,
  type Calls,
  type Event,
  type Log,
  type Loop,
  type Model,
  type Notification,
  type SetupData,
  type Summariser,
  type Verifier,
} from '../../src/core/index.ts';
import {
  manualClock,
  memoryLog,
  scriptedCalls,
  scriptedModel,
  scriptedSummariser,
  scriptedVerifier,
  type ManualClock,
  type MemoryLog,
  type Turn,
} from '../../src/testing/index.ts';
import { able } from '../support/abilities.ts';

const setup: SetupData = {
  reins: '0.0.0',
  provider: 'script',
  wire: 'script',
  model: 'script',
  settings: {},
  ...able,
  system: ['You are rehearsed.'],
  tools: [{ name: 'echo', description: 'Gives its text back.', input: { type: 'object' } }],
  mode: 'auto',
  limits: { turns: 100, calls: 500, minutes: 60, cost: null, outputTokens: 16_000 },
  retries: { attempts: 10, minutes: 15, brokenStream: 4, firstPause: 500 },
  checks: [],
  window: 200_000,
};

/** A tool that gives its text back. */
export const echo = ({ text }: { [name: string]: unknown }): string => (typeof text === 'string' ? text : '');

export interface Driven {
  loop: Loop;
  log: MemoryLog;
  clock: ManualClock;
  notes: Notification[];
  view: View;
}

export interface Parts {
  turns?: Turn[];
  model?: Model;
  calls?: Calls;
  verifier?: Verifier;
  approver?: Approver;
  summariser?: Summariser;
  log?: MemoryLog;
  wrap?: (log: Log) => Log;
  clock?: ManualClock;
  setup?: Partial<SetupData>;
  input?: string;
}

/** The path from the root to the last event, as a reader of a real log finds it. */
function pathOf(events: readonly Event[]): Set<string> {
  const parents = new Map(events.map((event) => [event.id, event.parent]));
  const path = new Set<string>();
  for (let id = events.at(-1)?.id ?? null; id !== null; id = parents.get(id) ?? null) path.add(id);
  return path;
}

/** Opens a loop over what is in the log; records a setup and an input where they are given. */
export async function open(parts: Parts): Promise<Driven> {
  const log = parts.log ?? memoryLog();
  const clock = parts.clock ?? manualClock(1_000_000, { auto: true });
  const view = foldAll(log.events, pathOf(log.events));
  const notes: Notification[] = [];
  const recorder = new Recorder(view, parts.wrap?.(log) ?? log, clock);
  const loop: Loop = {
    ports: {
      log,
      clock,
      model: parts.model ?? scriptedModel(parts.turns ?? [], { clock }),
      calls: parts.calls ?? scriptedCalls({ echo }, clock),
      verifier: parts.verifier ?? scriptedVerifier(),
      summariser: parts.summariser ?? scriptedSummariser(),
    },
    recorder,
    rules: defaultRules,
    notify: (note) => notes.push(note),
  };
  if (parts.setup !== undefined || log.events.length === 0) {
    await recorder.record({ kind: 'setup', data: { ...setup, ...parts.setup } });
  }
  if (parts.input !== undefined) await recorder.record({ kind: 'input', data: { from: 'user', text: parts.input } });
  return { loop, log, clock, notes, view: recorder.view };
}

export const kinds = (log: MemoryLog): string[] => log.events.map((event) => event.kind);
export const results = (log: MemoryLog) => log.events.flatMap((event) => (event.kind === 'result' ? [event.data] : []));
