import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createSession, type RunSettings } from '../../src/harness/index.ts';
import { serve } from '../model/loopback.ts';
import { ground } from './ground.ts';
import { sayIn } from './replies.ts';

/** Calls once, then ends. */
async function run(t: TestContext, call: { name: string; arguments: object }, contract: RunSettings['contract']) {
  let turns = 0;
  const server = await serve(t, (received, response) => {
    turns += 1;
    sayIn('anthropic', turns === 1 ? { text: 'a', call } : { text: 'Done.' })(received, response);
  });
  const user = { model: 'p/m', providers: { p: { wire: 'anthropic', baseUrl: server.url } } };
  const { workspace, env } = await ground(t, { user });
  const session = await createSession({
    workspace,
    env,
    settings: { mode: 'edit', checks: ['true'], allow: ['shell'], ...(contract !== undefined && { contract }) },
  });
  t.after(() => session.close());
  await session.say('go');
  return session.run();
}

const write = (path: string) => ({ name: 'write', arguments: { path, content: 'x\n' } });
const scope = { allowed: ['src/**', '*.md'], forbidden: ['src/generated/**', 'src/vendor'] };

const cases: [name: string, call: { name: string; arguments: object }, denied: number, code: string | undefined][] = [
  ['a path within is written', write('src/a.js'), 0, undefined],
  ['a name that is allowed anywhere is written', write('docs/a.md'), 0, undefined],
  ['a path outside is refused', write('lib/a.js'), 1, undefined],
  ['a forbidden path is refused', write('src/generated/a.js'), 1, undefined],
  ['what is in a forbidden folder is refused', write('src/vendor/deep/a.js'), 1, undefined],
  ['a path that leads outside is refused', write('src/../lib/a.js'), 1, undefined],
  [
    'a command that names a path outside is refused',
    { name: 'shell', arguments: { command: 'touch lib.js' } },
    1,
    undefined,
  ],
  [
    'what a command changed unseen is found at the end',
    { name: 'shell', arguments: { command: "node -e \"require('fs').writeFileSync('lib.js', 'x')\"" } },
    0,
    'scope-violated',
  ],
];
for (const [name, call, denied, code] of cases) {
  test(name, async (t) => {
    const { outcome, code: got, detail, denials } = await run(t, call, scope);
    assert.deepEqual([denials.length, got], [denied, code], detail);
    assert.equal(outcome, code === undefined ? 'completed' : 'unverified');
    if (denied > 0) assert.match(denials[0]?.by ?? '', /^(scope|floor)$/);
    if (code !== undefined) assert.match(detail, /lib\.js/);
  });
}

test('without a contract everything passes, and what accepts the work is a check', async (t) => {
  assert.equal((await run(t, write('lib/a.js'), undefined)).outcome, 'completed');
  const { outcome, evidence } = await run(t, write('lib/a.js'), { acceptance: ['false'], minutes: 5 });
  assert.equal(outcome, 'unverified');
  assert.ok(evidence.some(({ command, passed }) => command === 'false' && !passed));
});

test('a glob that no path can fit is a mistake, not a scope that holds nothing', async (t) => {
  const idle = [
    './src/**',
    '!./a',
    '/src/**',
    'src/',
    'src//**',
    'src/../lib/**',
    'src/./a',
    '../**',
    '.',
    'src/..',
    '',
  ];
  for (const forbidden of idle)
    await assert.rejects(run(t, write('a.js'), { forbidden: [forbidden] }), /which no path fits/, forbidden);
  const { denials } = await run(t, write('.env/a'), { forbidden: ['**/.env/**', '.git*/**', '..a/b', 'a', '!b/*.js'] });
  assert.equal(denials.length, 1);
});
