/** A program that embeds Reins and asks somebody who never answers: only an answer from elsewhere lets it go on. */
import { createSession } from '../../src/harness/index.ts';

const [workspace = '.'] = process.argv.slice(2);
// What a person is reached through (a window, a connection) keeps a process alive; here nobody is.
const window = setInterval(() => undefined, 1_000_000);
const session = await createSession({
  workspace,
  settings: { model: 'claude-sonnet-4-5', mode: 'ask', checks: 'waived' },
  approver: { ask: () => new Promise(() => undefined) },
  onEvent: ({ kind }) => process.stdout.write(`${kind}\n`),
});
await session.say('Do it.');
const outcome = await session.run();
await session.close();
clearInterval(window);
process.stdout.write(`${JSON.stringify(outcome)}\n`);
