import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { manualClock } from '../../src/testing/index.ts';
import {
  defineTool,
  type Checkpoints,
  type Diagnostics,
  type Effects,
  type ToolContext,
  type ToolDefinition,
} from '../../src/tools/index.ts';
import { ownCalls } from './own-calls.ts';
import type { Asked } from './session.ts';

const input = { type: 'object', properties: { path: { type: 'string' } } } as const;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Writes a file through the hands that it was given. */
async function write({ files }: ToolContext, path: string, text: string) {
  const real = await files.resolve(path, 'write');
  assert.ok(typeof real === 'string');
  const before = await files.read(real);
  return files.write(real, Buffer.from(text), before !== null && 'hash' in before ? before.hash : null);
}

const tool = (name: string, execute: ToolDefinition<typeof input>['execute'], effects: Effects) =>
  defineTool({ name, description: 'Does it.', input, effects, execute });

const writing = (path: string): Effects => ({ effects: ['write'], resources: [{ access: 'write', path }] });
const unknown: Effects = { effects: ['execute'], resources: 'unknown' };
const harmless: Effects = { effects: ['read'], resources: [] };

/** Snapshots by number. */
function counted(): Checkpoints & { taken: string[] } {
  const taken: string[] = [];
  const take = async (when: string) => {
    taken.push(`${when} ${taken.length}`);
    return taken.at(-1)!;
  };
  return { taken, before: () => take('before'), after: () => take('after') };
}

describe('a tool that goes on after its call is over', () => {
  test('has nothing in its hands any more: no file, no output, no blob, no question', async () => {
    const clock = manualClock();
    const late: unknown[] = [];
    let go = (): void => undefined;
    const wait = new Promise<void>((resolve) => (go = resolve));
    const stubborn = tool(
      'stubborn',
      async (_, context) => {
        context.output('early');
        await wait;
        context.output('late');
        late.push(await write(context, 'a', 'late'));
        late.push(await context.files.remove(join('/', 'nowhere'), 'x'));
        late.push(await context.keep(Buffer.from('late')).catch((error: Error) => error.message));
        late.push(await context.choose({ question: 'Now?', options: [], fallback: 'no' }));
        return 'done';
      },
      harmless,
    );
    await using session = await ownCalls({ files: { a: 'x' }, tools: [stubborn], clock });
    const running = session.call('stubborn', {});
    await clock.untilAsleep();
    await clock.advance(62_000);
    const result = await running;
    assert.equal(result.text, 'stubborn timed out after 60 seconds. stubborn doesn’t stop; it may still be at work.');
    assert.deepEqual([result.failed, result.mayHaveChanged], ['timeout', true]);
    go();
    while (late.length < 4) await settled();
    assert.deepEqual(late, [
      { refused: 'The call is over; nothing was written.' },
      { refused: 'The call is over; nothing was removed.' },
      'The call is over; nothing is kept.',
      undefined,
    ]);
    assert.equal((await session.workspace.read('a')).toString(), 'x');
    assert.deepEqual(
      session.notes.map((note) => (note.type === 'output' ? note.delta : '')),
      ['early'],
    );
  });

  test('the same holds for what a tool leaves running when it returns', async () => {
    const late: unknown[] = [];
    let go = (): void => undefined;
    const wait = new Promise<void>((resolve) => (go = resolve));
    const careless = tool(
      'careless',
      (_, context) => {
        void wait.then(async () => late.push(await write(context, 'a', 'late')));
        return 'done';
      },
      harmless,
    );
    await using session = await ownCalls({ files: { a: 'x' }, tools: [careless] });
    assert.equal((await session.call('careless', {})).text, 'done');
    go();
    while (late.length === 0) await settled();
    assert.deepEqual(late[0], { refused: 'The call is over; nothing was written.' });
  });

  /** A call that is left behind, then others; what it left goes on until `end`. */
  async function leftBehind(effects: Effects, then: Asked[], thenEffects: Effects) {
    const clock = manualClock();
    let end = (): void => undefined;
    const stubborn = tool('stubborn', () => new Promise<string>((resolve) => (end = () => resolve('done'))), effects);
    const next = tool('next', () => 'fine', thenEffects);
    const checkpoints = counted();
    const session = await ownCalls({ tools: [stubborn, next], clock, own: { checkpoints } });
    const running = session.call('stubborn', {});
    await clock.untilAsleep();
    await clock.advance(62_000);
    await running;
    const results = await session.callAll(then);
    end();
    await settled();
    const [after] = await session.callAll(then);
    await session[Symbol.asyncDispose]();
    return { results, after: after! };
  }

  test('is named in the results of calls that touch the same meanwhile, and its changes are not recorded as theirs', async () => {
    const { results, after } = await leftBehind(unknown, [['next', {}]], writing('w/a'));
    assert.equal(
      results[0]?.text,
      'fine\n[stubborn of an earlier call doesn’t stop and may still be at work: what changed meanwhile may be of that.]',
    );
    assert.equal(results[0]?.snapshot, undefined);
    assert.equal(after.text, 'fine');
    assert.match(after.snapshot ?? '', /^after/);
  });

  test('nothing is said where it can’t matter: it only reads, it is elsewhere, or the next one only reads', async () => {
    const cases: [Effects, Effects][] = [
      [harmless, writing('w/a')],
      [{ effects: ['read'], resources: [{ access: 'read', path: 'w/a' }] }, writing('w/a')],
      [writing('w/b'), writing('w/a')],
      [unknown, harmless],
    ];
    for (const [effects, next] of cases) {
      const { results } = await leftBehind(effects, [['next', {}]], next);
      assert.equal(results[0]?.text, 'fine');
    }
  });
});

describe('a cancel', () => {
  test('reaches every call at work at once, those that wait start no more', async () => {
    const started: string[] = [];
    const ended: string[] = [];
    const patient = defineTool({
      name: 'patient',
      description: 'Waits.',
      input,
      effects: ({ path = '' }) => writing(path),
      execute: ({ path = '' }, { signal }) => {
        started.push(path);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            ended.push(path);
            reject(new Error('stopped'));
          });
        });
      },
    });
    await using session = await ownCalls({ tools: [patient] });
    await session.reply(['w/a', 'w/b', 'w/a', 'w/c'].map((path): Asked => ['patient', { path }]));
    const running = session.run();
    while (started.length < 2) await settled();
    session.cancel();
    assert.deepEqual(ended, ['w/a', 'w/b'], 'in the same moment');
    await running;
    assert.deepEqual(started, ['w/a', 'w/b']);
    assert.deepEqual(
      session.results().map(({ outcome, text }) => `${outcome}: ${text}`),
      ['cancelled: Cancelled. patient failed: stopped', 'cancelled: Cancelled. patient failed: stopped'],
    );
    assert.equal(session.open().length, 2, 'the loop answers them');
  });
});

describe('diagnostics of what was changed', () => {
  /** Says what it is asked; finds `text`. */
  function asked(text: string | Error): Diagnostics & { said: string[] } {
    const said: string[] = [];
    return {
      said,
      before: async (paths) => void said.push(`before ${paths.join()}`),
      after: async (paths) => {
        said.push(`after ${paths.join()}`);
        if (text instanceof Error) throw text;
        return text;
      },
    };
  }

  test('the files that will be written are looked at before, those that were changed afterwards', async () => {
    const diagnostics = asked('a:1: mistake');
    const hook = { name: 'lint', after: async () => ({ append: '[hook]' }) };
    await using session = await ownCalls({ files: { a: 'x\n' }, hooks: [hook], own: { diagnostics } });
    await session.call('read', { path: 'a' });
    const result = await session.call('edit', { path: 'a', old: 'x', new: 'y' });
    const path = join(session.workspace.path, 'a');
    assert.deepEqual(diagnostics.said, [`before ${path}`, `after ${path}`]);
    assert.match(result.text, /\na:1: mistake\n\[hook\]$/);
    assert.deepEqual(
      result.changes?.map((change) => change.path),
      ['a'],
    );
  });

  test('nothing found is nothing said', async () => {
    await using session = await ownCalls({ own: { diagnostics: asked('') } });
    await using plain = await ownCalls({});
    const args = { path: 'a', content: 'x\n' };
    assert.equal((await session.call('write', args)).text, (await plain.call('write', args)).text);
  });

  test('files that are gone, named things, globs and the unknown are not looked at', async () => {
    const diagnostics = asked('mistake');
    const gone = [{ path: '/w/a', before: 'hash', after: null }];
    const remove = defineTool({
      name: 'remove',
      description: 'Removes.',
      input,
      effects: async (_, { files }) => {
        const root = await files.resolve('.', 'write');
        assert.ok(typeof root === 'string');
        const resources = [
          { access: 'write' as const, path: 'job:1' },
          { access: 'write' as const, path: `${root}/*.ts` },
          { access: 'read' as const, path: `${root}/b` },
        ];
        return { effects: ['write'], resources };
      },
      execute: () => ({ outcome: 'ok', text: 'gone', changes: gone }),
    });
    const run = tool('run', () => ({ outcome: 'ok', text: 'ran', changes: [] }), unknown);
    await using session = await ownCalls({ tools: [remove, run], own: { diagnostics } });
    assert.equal((await session.call('remove', {})).text, 'gone');
    assert.equal((await session.call('run', {})).text, 'ran');
    assert.deepEqual(diagnostics.said, []);
  });

  test('where they fail, the result stands and says so', async () => {
    await using session = await ownCalls({ own: { diagnostics: asked(new Error('no parser')) } });
    const result = await session.call('write', { path: 'a', content: 'x\n' });
    assert.equal(result.outcome, 'ok');
    assert.match(result.text, /\n\[The changed files could not be checked: no parser\]$/);
    assert.equal(await readFile(join(session.workspace.path, 'a'), 'utf8'), 'x\n');
  });
});
