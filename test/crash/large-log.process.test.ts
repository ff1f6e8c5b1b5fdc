/** A log of two hundred megabytes: it can be read, listed, told something and gone on with, in bounded time and memory. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Draft } from '../../src/core/index.ts';
import { createSession } from '../../src/session/index.ts';
import { assertRebuilt } from '../support/rebuilt.ts';
import { linesOf, commandLine } from '../surfaces/cli/command-line.ts';
import { assertExit, logIn, openRounds } from './rounds.ts';

const size = 200 * 1024 * 1024;

/** A long session: turn after turn of checks that put out much, of which the model was shown a little. */
async function writeLong(state: string, workspace: string): Promise<string> {
  const session = await createSession(join(state, 'reins'), { workspace, reins: '0.1.0', at: Date.now() });
  let parent = session.skeleton.head;
  const record = async (draft: Draft): Promise<string> => {
    const event = await session.append({ parent, at: Date.now(), ...draft });
    parent = event.id;
    return event.id;
  };
  await record({ kind: 'input', data: { from: 'user', text: 'Do it.' } });
  const text = 'All work and no play makes a long log.\n'.repeat(2500);
  for (let written = 0; written < size; written += text.length) {
    const output = { text: `${written}\n${text}` };
    const covers = parent ?? '';
    await record({
      kind: 'evidence',
      data: { command: 'true', passed: true, exit: 0, outcome: 'passed', output, elapsed: 1, covers },
    });
  }
  await session.sync();
  await session.close();
  return session.folder;
}

test('is read, told something and gone on with', { timeout: 110_000 }, async (context) => {
  const rounds = await openRounds(context, { turns: [{ text: 'Done.' }], after: { text: 'Done again.' } });
  const { bench } = rounds;
  const folder = await writeLong(bench.environment['XDG_STATE_HOME'] ?? '', bench.workspace);
  const before = statSync(join(folder, 'log.jsonl')).size;
  assert.ok(before >= size);

  // Half of the log's size is far more than what is needed, and far less than the log held as objects.
  const small = [process.execPath, '--max-old-space-size=100', commandLine];
  const began = performance.now();
  assertExit(await rounds.run({ through: small }).ended, 0);
  const took = performance.now() - began;
  context.diagnostic(`gone on with in ${Math.round(took)} ms`);
  assert.ok(took < 60_000, `${took} ms`);

  const said = await bench.reins(['say', '20', 'And this.'], { through: small });
  assertExit(said, 0);
  const listed = await bench.reins(['sessions', '--json'], { through: small });
  assertExit(listed, 0);
  const shown = await bench.reins(['log', '--request', '1'], { through: small });
  assertExit(shown, 0);
  assert.match(shown.out, /Do it\./);
  const ended = await rounds.run({ through: small }).ended;
  assertExit(ended, 0);
  assert.equal(linesOf(ended.out).at(-1)?.['turns'], 2);
  assert.ok(logIn(folder).some((event) => event.kind === 'input' && event.data.text === 'And this.'));
  assert.deepEqual(rounds.server.refusals, []);
  await assertRebuilt(rounds.server, { folder });
});
