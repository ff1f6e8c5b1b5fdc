/**
 * Writes the golden log of the present format: `node test/golden/write-log.ts`. It is written once, when the format is released, and then stays
 * as it is; until then it is written anew when the format gains something. It is made of the golden log of the format before, so that
 * all that was there is there still, and of one event of each kind that came since.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { logFormat, type Event, type EventData, type EventId } from '../../src/core/index.ts';
import { openLogHandle, readLog } from '../../src/session/index.ts';
import { LogWriter } from '../../src/session/log-writer.ts';

const folderOf = (format: number): string => fileURLToPath(new URL(`log-format-${format}`, import.meta.url));
const before = JSON.parse(readFileSync(join(folderOf(logFormat - 1), 'events.json'), 'utf8')) as Event[];
const source = { provider: 'anthropic', wire: 'anthropic', model: 'model-1' };
const blob = '8039fef34b782bb446764a9604337c89e3c50df45720b4dfd1a8f8ba9eccef7a';
const reserved = { input: 1000, output: 16_000, cost: 0.25 };
const usage = { input: 10, cacheRead: 20, cacheWrite: 5, output: 7 };
const idOf = (kind: Event['kind']): EventId => before.find((event) => event.kind === kind)?.id ?? '';
const hash = 'a'.repeat(64);

type Added =
  | 'aside'
  | 'aside-end'
  | 'connection'
  | 'follow-up'
  | 'instructions'
  | 'judgement'
  | 'own-checks'
  | 'review'
  | 'review-end'
  | 'title';

/** What came since the format before. */
const added: { [K in Added]: EventData[K] } = {
  review: { ask: idOf('ask'), source, blob, bytes: 60, reserved },
  'review-end': { review: '1kdyakw0000000r1', decision: 'deny', reason: 'Not that.', text: 'No.', usage, cost: 0.01, estimated: true, elapsed: 400 },
  aside: { purpose: 'summary', source, blob, bytes: 60, reserved },
  'aside-end': { aside: '1kdyakw0000002a1', text: 'What was done.', usage, cost: 0.01, estimated: true, elapsed: 900 },
  instructions: {
    files: [{ path: 'src/AGENTS.md', hash, bytes: 40, shown: 20, before: true }],
    gone: ['AGENTS.md'],
    leftOut: [{ path: 'big/AGENTS.md', why: 'too long' }],
    text: 'Instructions of src.',
  },
  connection: { call: `${idOf('reply')}/0`, host: 'example.org', port: 443, allowed: true, reason: 'egress.hosts', sent: 10, received: 20 },
  'own-checks': {
    covers: idOf('result'),
    proves: true,
    commands: [{ call: `${idOf('reply')}/0`, command: 'npm test', kind: 'tests' }],
    why: 'They passed after the last change.',
    redefined: [{ path: 'a.test.ts', kind: 'test', how: 'skipped' }],
  },
  judgement: {
    goal: 'The tests are quick.',
    covers: idOf('result'),
    ruling: 'not-yet',
    reason: 'Nothing was measured.',
    aside: '1kdyakw0000002a1',
    shown: 'The goal is not met yet.',
  },
  'follow-up': { input: idOf('input') },
  title: { text: 'The failing test', by: 'reins title', message: '1kdw4aw00003abcd.json' },
};
const ids: { [K in Added]: EventId } = {
  review: '1kdyakw0000000r1',
  'review-end': '1kdyakw0000001r2',
  aside: '1kdyakw0000002a1',
  'aside-end': '1kdyakw0000003a2',
  instructions: '1kdyakw0000004f1',
  connection: '1kdyakw0000005c1',
  'own-checks': '1kdyakw0000006w1',
  judgement: '1kdyakw0000008j1',
  'follow-up': '1kdyakw0000009u1',
  title: '1kdyakw0000007t1',
};

/** What kinds gained that were there before. */
const gained: { [K in Event['kind']]?: (data: EventData[K]) => EventData[K] } = {
  session: (data) => ({ ...data, format: logFormat }),
  setup: (data) => ({
    ...data,
    toolSearch: true,
    runProfile: { name: 'lean', source: 'user', file: '/home/ada/lean.json', hash },
    layers: ['prompt', 'environment'],
    instructions: { files: [{ path: 'AGENTS.md', hash, bytes: 40 }], leftOut: [{ path: 'CLAUDE.md', why: 'an import' }] },
    planFile: 'plan.md',
    allowTestChanges: true,
    scope: { allowed: ['src/**'], forbidden: ['src/gen/**'] },
    goal: 'The tests are quick.',
  }),
  input: (data) => ({ ...data, pinned: true }),
  child: (data) => ({ ...data, call: `${idOf('reply')}/0`, task: 'Look at the tests.' }),
  'child-end': (data) => ({
    ...data,
    outcome: 'completed',
    summary: 'They are quick.',
    turns: 2,
    calls: 1,
    usage,
    cost: 0.02,
    estimated: true,
  }),
  ask: (data) => ({ ...data, plan: { file: 'plan.md', text: 'First this.', modes: ['edit', 'ask'] } }),
  answer: (data) => ({ ...data, mode: 'edit' }),
  compaction: (data) => ({
    ...data,
    why: 'window',
    gist: {
      tail: idOf('reply'),
      kept: [idOf('input')],
      last: idOf('input'),
      shown: 'What came before: …',
      summary: { text: 'What was done.', asides: [ids.aside] },
      files: { read: ['a.ts'], changed: ['b.ts'], more: 3 },
    },
    problem: 'It was cut.',
    focus: 'the tests',
  }),
  evidence: (data) => ({
    ...data,
    paths: ['src/**'],
    advisory: true,
    early: true,
    findings: [{ file: 'a.ts', line: 3, column: 1, text: 'expected 1' }],
    redefined: [{ path: 'package.json#scripts', kind: 'configuration', how: 'loosened' }],
  }),
  head: (data) => ({ ...data, branch: 'other way' }),
};

function gain(event: Event): Event {
  const more = gained[event.kind] as ((data: unknown) => unknown) | undefined;
  return more === undefined ? event : ({ ...event, data: more(event.data) } as Event);
}

/** The new kinds come before the cancel, each hanging on the one before it. */
function withAdded(events: readonly Event[]): Event[] {
  const at = events.findIndex(({ kind }) => kind === 'cancel');
  const time = events[at]?.at ?? 0;
  let parent = events[at]?.parent ?? null;
  const more = (Object.keys(ids) as Added[]).map((kind) => {
    const event = { id: ids[kind], parent, at: time, kind, data: added[kind] } as Event;
    parent = event.id;
    return event;
  });
  return [...events.slice(0, at), ...more, { ...events[at], parent } as Event, ...events.slice(at + 1)];
}

const folder = folderOf(logFormat);
rmSync(folder, { recursive: true, force: true });
cpSync(join(folderOf(logFormat - 1), 'blobs'), join(folder, 'blobs'), { recursive: true });
const file = join(folder, 'log.jsonl');
const writer = new LogWriter(file, openLogHandle(file, true), { prev: null, ended: true }, []);
for (const event of withAdded(before.map(gain))) await writer.copy(event);
await writer.close();
writeFileSync(join(folder, 'events.json'), `${JSON.stringify([...readLog(folder)], null, 2)}\n`);
