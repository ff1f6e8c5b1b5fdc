/** A session with everything in it that exports must hold, with texts that would break out of careless formats. */
import type { Draft, Event } from '../../src/core/index.ts';

const source = { provider: 'corp', wire: 'anthropic', model: 'small' };
const at = Date.UTC(2026, 0, 2, 3, 4, 5);

export const texts = {
  task: 'mend <script>alert(1)</script> & "quotes"\n# not a heading',
  thinking: 'I think </details> so',
  answer: 'Look:\n```\nfenced\n```',
  result: 'line 1\n````\n</pre><b>bold</b>\u202e',
  steer: 'no, the other\u2028one',
  told: 'The check failed.',
  summary: 'Older turns: the parser was read.',
  end: 'All is well.',
};

const request = (turn: number): Draft => ({
  kind: 'request',
  data: {
    turn,
    attempt: 1,
    source,
    fingerprint: 'f',
    base: null,
    kept: 0,
    tail: '',
    bytes: 0,
    extends: true,
    reserved: { input: 1, output: 1 },
  },
});

/** Two turns with two calls of one id, a steer, a failed check, a compaction, an answer; one call is never answered. */
const drafts: { [id: string]: Draft } = {
  s0: { kind: 'session', data: { format: 4, reins: '0.1.0', workspace: '/work/space' } },
  i0: { kind: 'input', data: { from: 'user', text: texts.task } },
  q1: request(1),
  r1: {
    kind: 'reply',
    data: {
      request: 'q1',
      source,
      parts: [
        { type: 'thinking', text: texts.thinking, opaque: { signature: 'of-the-maker' } },
        { type: 'text', text: texts.answer },
        { type: 'call', id: 'c1', name: 'shell', arguments: { command: 'npm test' } },
        { type: 'call', id: 'c1', name: 'edit', arguments: { path: 'a.ts' } },
        { type: 'opaque', opaque: { type: 'redacted' } },
      ],
      stop: 'calls',
      usage: { input: 10, cacheRead: 5, output: 7 },
      cost: 0.25,
      firstByte: 1,
      elapsed: 2,
    },
  },
  b0: { kind: 'start', data: { call: 'r1/0', tool: 'shell' } },
  e0: { kind: 'result', data: { call: 'r1/0', tool: 'shell', outcome: 'error', text: texts.result, exit: 1 } },
  e1: {
    kind: 'result',
    data: {
      call: 'r1/1',
      tool: 'edit',
      outcome: 'ok',
      text: 'Edited.',
      changes: [{ path: 'a.ts', before: null, after: 'x' }],
    },
  },
  i1: { kind: 'input', data: { from: 'steer', text: texts.steer } },
  v0: {
    kind: 'evidence',
    data: {
      command: 'npm test',
      passed: false,
      exit: 1,
      outcome: 'failed',
      output: { text: '' },
      elapsed: 1,
      covers: 'e1',
      shown: texts.told,
    },
  },
  k0: {
    kind: 'compaction',
    data: {
      why: 'window',
      elided: [],
      gist: { tail: 'r2', kept: ['i0'], shown: texts.summary, files: { read: [], changed: [] } },
      before: 900,
      after: 90,
    },
  },
  q2: request(2),
  r2: {
    kind: 'reply',
    data: {
      request: 'q2',
      source,
      parts: [
        { type: 'text', text: texts.end },
        { type: 'call', id: 'c9', name: 'read', arguments: {} },
      ],
      stop: 'calls',
      usage: { input: 20, output: 3 },
      cost: 0.5,
      firstByte: 1,
      elapsed: 2,
    },
  },
  z0: { kind: 'stop', data: { reason: 'limit', code: 'limit-turns', detail: 'No turns are left.' } },
};

export const events: readonly Event[] = Object.entries(drafts).map(([id, draft], index, all) => {
  return { id, parent: all[index - 1]?.[0] ?? null, at: at + index, ...draft };
});
