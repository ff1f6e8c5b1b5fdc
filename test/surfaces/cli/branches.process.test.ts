import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, openBench } from './command-line.ts';

test('a session is forked, branched, shown as a tree and rewound to an event', async (context) => {
  const bench = openBench(context);
  const model = bench.scenario({ turns: [1, 2, 3].map((turn) => ({ text: `Done ${turn}.` })) });
  const run = await bench.reins(['run', '--json', '--check', 'none', '--model', model, 'mend the parser']);
  const id = String(linesOf(run.out).at(-1)?.['session']);

  const tree = await bench.reins(['tree', '--json']);
  const shown = JSON.parse(tree.out) as { session: string; nodes: { id: string; kind: string; turn?: number }[] };
  assert.deepEqual([shown.session, shown.nodes.map(({ kind }) => kind)], [id, ['input', 'turn', 'stop']]);
  const [said, turn] = shown.nodes;
  assert.match(
    (await bench.reins(['tree', 'parser'])).out,
    new RegExp(`${said!.id} > mend the parser\n${turn!.id} ● turn 1 Done 1\\.`),
  );

  const forked = await bench.reins(['fork', id, '--at', turn!.id]);
  const [other = ''] = forked.out.split('\n');
  assert.match(forked.out, new RegExp(`^\\d{8}-\\d{6}-.*\n\`reins resume ${other}\` goes on there`));
  assert.match((await bench.reins(['log', other])).out, /input .*mend the parser/);
  const { session } = JSON.parse((await bench.reins(['fork', id, '--turn', '1', '--json'])).out) as { session: string };
  assert.notEqual(session, other);

  const branch = await bench.reins(['branch', id, 'try', '--turn', '1']);
  assert.deepEqual([branch.exit, branch.out], [0, `${id} goes on with a new branch try.\n`]);
  assert.match((await bench.reins(['branch', id])).out, /^ {2}main {2}\S{16}\n\* try {2}\S{16}\n$/);
  assert.equal((await bench.reins(['branch', id, 'main'])).out, `${id} goes on with the branch main.\n`);

  const back = await bench.reins(['rewind', id, '--at', said!.id, '--conversation']);
  assert.deepEqual(
    [back.exit, back.out],
    [0, `The conversation stands at event ${said!.id}; \`reins resume ${id}\` goes on from there.\n`],
  );
  for (const [words, message] of [
    [['fork'], /Which session/],
    [['fork', id, '--at', 'x', '--turn', '1'], /exclude each other/],
    [['fork', id, '--at', 'nothing'], /no event begins with/],
    [['branch', id, '--turn', '1'], /Which branch is to begin there/],
    [['branch', id, '-x'], /unknown/],
    [['branch', id, 'a b'], /A branch is named with/],
    [['rewind', id], /To before which turn/],
    [['rewind', id, '1', '--at', 'x'], /exclude each other/],
    [['rewind', id, '9'], /no turn 9/],
  ] as const) {
    const refused = await bench.reins([...words]);
    assert.equal(refused.exit, 2, words.join(' '));
    assert.match(refused.err, message);
  }
});
