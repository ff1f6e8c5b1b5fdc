import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startModelServer, temporaryWorkspace, type Answer, type RecordedRequest } from '../../src/testing/index.ts';

const floor = fileURLToPath(new URL('../../bench/floor.mjs', import.meta.url));

/** Runs the floor in a workspace with one file, on a model that refuses what a strict provider refuses. */
async function runFloor(t: TestContext, answer: (request: RecordedRequest) => Answer) {
  const server = await startModelServer(answer);
  t.after(() => server.close());
  const workspace = await temporaryWorkspace({ files: { 'note.txt': 'remember the milk\n' } });
  t.after(() => workspace.dispose());
  const env = { PATH: process.env['PATH'], ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'bench' };
  const ran = promisify(execFile)(process.execPath, [floor, 'Read the note.'], { cwd: workspace.path, env });
  return { server, workspace, ran };
}

const calling = (...commands: string[]): Answer => ({
  text: 'I look.',
  calls: commands.map((command) => ({ name: 'shell', arguments: { command } })),
});

test('the floor runs each command in its folder, gives the results back, and ends with the last word', async (t) => {
  const answers = [
    calling('cat note.txt', 'echo wrong >&2; exit 3'),
    calling('echo more >made.txt'),
    { text: 'It is the milk.' },
  ];
  const { server, workspace, ran } = await runFloor(t, ({ number }) => answers[number - 1] ?? { text: 'too many' });
  assert.deepEqual(await ran, { stdout: 'It is the milk.\n', stderr: '' });
  assert.deepEqual(server.refusals, []);
  assert.equal(server.requests.length, 3);
  assert.deepEqual(
    server.requests[1]?.question.messages.at(-1)?.results.map(({ text }) => text),
    ['remember the milk\n\nexit code: 0', 'wrong\n\nexit code: 3'],
  );
  assert.equal((await workspace.read('made.txt')).toString(), 'more\n');
});

test('the floor keeps one connection and only ever appends, so that it is compared at its best', async (t) => {
  const answer = ({ number }: RecordedRequest): Answer => (number <= 5 ? calling('true') : { text: 'Done.' });
  const { server, ran } = await runFloor(t, answer);
  await ran;
  assert.deepEqual(server.prefixBreaks, []);
  assert.equal(server.requests.length, 6);
  for (const { headers } of server.requests) assert.equal(headers['connection'], 'keep-alive');
});

test('the floor fails aloud when the model does', async (t) => {
  const { ran } = await runFloor(t, () => ({ status: 529, message: 'too busy' }));
  await assert.rejects(ran, /status 529: .*too busy/);
});

test('the floor takes no reply whose stream was cut', async (t) => {
  const cut: Answer = { reply: { text: 'Half of it' }, failure: { cut: 'before-end', how: 'end' } };
  const { server, ran } = await runFloor(t, () => cut);
  await assert.rejects(ran, /ended before its last event/);
  assert.equal(server.requests.length, 1);
});
