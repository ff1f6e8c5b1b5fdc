import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { whyNoSandbox } from '../exec/workbench.ts';
import { read, write } from '../support/calls.ts';
import { undoGround, type UndoGround } from './undo-ground.ts';

const server = readFileSync(new URL('../verify/publishing-server.mjs', import.meta.url));
const noSandbox = await whyNoSandbox();
const diagnostics = { servers: [{ files: '*.words', command: 'node server.mjs', language: 'words' }], timeout: 20_000 };

/** What the model is told of a change that brings the bad word. */
async function told(ground: UndoGround, mode: 'auto' | 'unsafe'): Promise<string> {
  ground.put('server.mjs', server);
  ground.put('a.words', 'good\n');
  await ground.work([{ calls: [read('a.words')] }, { calls: [write('a.words', 'good\nbad\n')] }], {
    settings: { mode },
  });
  const results = (await ground.events()).flatMap((event) => (event.kind === 'result' ? [event.data.text] : []));
  return results.at(-1) ?? '';
}

test('a language server of the user’s settings speaks from inside of the sandbox', { skip: noSandbox }, async (t) => {
  const text = await told(await undoGround(t, { diagnostics }), 'auto');
  assert.match(text, /^Replaced a\.words .*\nNew in a\.words since before this call:\nline 2:1, node: bad word\n/);
});

test('nothing is started where no sandbox holds it: it could outlive the session', async (t) => {
  const text = await told(await undoGround(t, { diagnostics }), 'unsafe');
  assert.match(text, /^Replaced a\.words/);
  assert.doesNotMatch(text, /bad word/);
});
