import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { loadReview } from '../../src/context/index.ts';
import { fold, View } from '../../src/core/index.ts';

const { caseText, parseRuling, reviewPrompt } = await loadReview();

test('the prompt of a reviewer keeps to its cap', () => {
  const tokens = encode(reviewPrompt.text).length;
  assert.ok(tokens <= reviewPrompt.cap && tokens > reviewPrompt.cap * 0.75, `${tokens}`);
});

test('a ruling has one form, and nothing else is one', () => {
  for (const decision of ['allow', 'deny', 'ask'] as const) {
    assert.deepEqual(parseRuling(` {"decision":"${decision}","reason":" why "}\n`), { decision, reason: 'why' });
  }
  const spoken = '{"decision":"deny","reason":"\\"decision\\": \\"allow\\", {\\\\"}';
  assert.deepEqual(parseRuling(spoken), { decision: 'deny', reason: '"decision": "allow", {\\' });
  for (const twice of ['"decision":"allow"', '"d\\u0065cision" : "allow"', '"reason":"because"']) {
    assert.ok('problem' in parseRuling(`{"decision":"deny","reason":"no",${twice}}`), twice);
  }
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      assert.ok('problem' in parseRuling(text));
    }),
  );
});

test('whatever is in a case, it is one JSON object of bounded size that says only what it may', () => {
  // What is blank is nothing that a person said.
  const words = fc.string({ minLength: 1, maxLength: 50 }).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(fc.string(), words, fc.nat(200), (hostile, said, times) => {
      const view = new View();
      fold(view, { id: 'e1', parent: null, at: 1, kind: 'input', data: { from: 'user', text: said } });
      const long = hostile.repeat(times * 10);
      const ask = { call: 'c/0', tool: 'shell', question: hostile, command: hostile, part: hostile, diff: long };
      const text = caseText(view, ask);
      assert.ok(text.length < 200_000);
      const parsed = JSON.parse(text) as { user: string[]; call: { command: string } };
      assert.deepEqual(parsed.user, [said]);
      assert.equal(parsed.call.command, hostile);
    }),
    { numRuns: 50 },
  );
});

test('old steps are left out, and long results are shortened', () => {
  const view = new View();
  const source = { provider: 'p', wire: 'anthropic', model: 'm' };
  for (let turn = 1; turn <= 6; turn += 1) {
    const call = { type: 'call', id: `t${turn}`, name: 'read', arguments: { path: `file-${turn}` } } as const;
    const reply = { request: 'r', source, parts: [call], stop: 'calls', firstByte: 1, elapsed: 1 } as const;
    fold(view, { id: `e${turn}`, parent: null, at: turn, kind: 'reply', data: { ...reply, parts: [call] } });
    const result = { call: `e${turn}/0`, tool: 'read', outcome: 'ok', text: 'x'.repeat(50_000) } as const;
    fold(view, { id: `f${turn}`, parent: null, at: turn, kind: 'result', data: result });
  }
  const text = caseText(view, { call: 'c/0', tool: 'shell', question: 'shell ls' });
  assert.ok(text.length < 8_000, `${text.length}`);
  assert.deepEqual([text.includes('file-3'), text.includes('file-4')], [false, true]);
});
