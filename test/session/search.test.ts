import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Draft } from '../../src/core/index.ts';
import { createSession, list, loadSearch, openSession, sessionFolder } from '../../src/session/index.ts';
import { indexFile } from '../../src/session/index-file.ts';
import { around } from '../../src/session/search/excerpt.ts';
import { matchOf, termsIn } from '../../src/session/search/words.ts';
import { appendAll, input, start, temporaryState } from './sessions.ts';

const { search } = await loadSearch();

const result = (text: string, more: object = {}): Draft => ({
  kind: 'result',
  data: { call: 'a/0', tool: 'shell', outcome: 'ok', text, ...more },
});
const source = { wire: 'w', model: 'm' };
const reply = (text: string, command: string): Draft => ({
  kind: 'reply',
  data: {
    request: 'r',
    source,
    parts: [
      { type: 'text', text },
      { type: 'call', id: '1', name: 'shell', arguments: { command, more: [{ deep: 'nested' }] } },
    ],
    stop: 'calls',
    firstByte: 1,
    elapsed: 1,
  },
});

let month = 0;
async function session(state: string, drafts: Draft[], workspace = '/w'): Promise<string> {
  month += 1;
  const made = await createSession(state, { ...start, workspace, at: Date.UTC(2026, 0, month) });
  await appendAll(made, drafts);
  await made.close();
  return made.id;
}

async function goOn(state: string, id: string, drafts: Draft[]): Promise<void> {
  const opened = await openSession(state, id);
  await appendAll(opened, drafts);
  await opened.close();
}

const found = (state: string, words: string, filters: object = {}) =>
  search(state, { words, ...filters }).map(({ session: id, kind }) => `${id} ${kind}`);

describe('a search', () => {
  test('finds words in what was said, answered, called, returned and how it ended', async (t) => {
    const state = temporaryState(t);
    assert.deepEqual(search(state, { words: 'anything' }), []);
    const id = await session(state, [
      input('Mend the Parser.'),
      reply('I look into it.', 'grep -rn deadlock src'),
      result('src/lock.ts:7: a dead_lock here'),
      {
        kind: 'stop',
        data: { reason: 'limit', code: 'limit-turns', detail: 'Out of turns.', answer: 'Nearly mended.' },
      },
    ]);
    for (const [words, kinds] of [
      ['parser', ['input']],
      ['LOOK into', ['reply']],
      ['deadlock', ['reply']],
      ['nested', ['reply']],
      ['lock.ts', ['result']],
      ['"dead lock here"', ['result']],
      ['"here dead"', []],
      ['mend', ['input']],
      ['mend*', ['stop', 'input']],
      ['limit-turns', ['stop']],
      ['parser deadlock', []],
      ['OR', []],
      ['NOT parser', []],
      ['pars', []],
      ['"mend the', ['input']],
    ] as const) {
      assert.deepEqual(
        found(state, words),
        kinds.map((kind) => `${id} ${kind}`),
        words,
      );
    }
    const [hit] = search(state, { words: 'parser' });
    assert.deepEqual(hit, {
      session: id,
      title: 'Mend the Parser.',
      workspace: '/w',
      event: hit!.event,
      kind: 'input',
      at: start.at,
      excerpt: 'Mend the Parser.',
    });
  });

  test('is narrowed by workspace, time, kind, tool, outcome and path; filters do without words', async (t) => {
    const state = temporaryState(t);
    const one = await session(state, [input('word'), result('word', { outcome: 'error' })], '/w/one');
    const changes = [{ path: 'src/deep/a.ts', before: null, after: 'x' }];
    const two = await session(state, [
      result('word', { tool: 'edit', changes }),
      {
        kind: 'verdict',
        data: {
          call: 'a/0',
          tool: 'read',
          decision: 'deny',
          by: 'floor',
          reason: 'word',
          arguments: {},
          resources: [
            { path: '/w/src/deep.ts', access: 'read' },
            { path: '/etc/passwd', access: 'read' },
          ],
        },
      },
    ]);
    for (const [filters, ids] of [
      [{ workspace: '/w/one' }, [`${one} result`, `${one} input`]],
      [{ workspace: '/w/o' }, []],
      [{ kinds: ['input'] }, [`${one} input`]],
      [{ kinds: ['input', 'verdict'] }, [`${two} verdict`, `${one} input`]],
      [{ tools: ['edit'] }, [`${two} result`]],
      [{ outcomes: ['error', 'deny'] }, [`${two} verdict`, `${one} result`]],
      [{ paths: ['src/deep'] }, [`${two} result`]],
      [{ paths: ['./src/'] }, [`${two} verdict`, `${two} result`]],
      [{ paths: ['src/deep.ts'] }, [`${two} verdict`]],
      [{ paths: ['/etc'] }, [`${two} verdict`]],
      [{ paths: ['deep'] }, []],
      [{ since: start.at + 1 }, [`${two} verdict`, `${one} result`]],
      [{ until: start.at + 1 }, [`${two} result`, `${one} input`]],
      [{ since: start.at + 1, tools: ['shell'] }, [`${one} result`]],
      [{ sessions: 1 }, [`${two} verdict`, `${two} result`]],
      [{ events: 1 }, [`${two} verdict`, `${one} result`]],
    ] as const) {
      assert.deepEqual(found(state, 'word', filters), ids, JSON.stringify(filters));
    }
    assert.deepEqual(found(state, '', { tools: ['edit'] }), [`${two} result`]);
    assert.throws(() => search(state, { kinds: ['request'] }), { code: 'usage-arguments', message: /request.*reply/ });
    for (const query of [{}, { words: ' ' }, { words: '-> "."', kinds: ['input'] }, { workspace: '/w' }]) {
      assert.throws(() => search(state, query), { code: 'usage-arguments', message: /nothing to search/ });
    }
  });

  test('reads on where a log grew, and lets go of what is gone', async (t) => {
    const state = temporaryState(t);
    const id = await session(state, [input('first')]);
    assert.deepEqual(found(state, 'first'), [`${id} input`]);
    await goOn(state, id, [input('second'), { kind: 'title', data: { text: 'renamed', by: 't' } }]);
    list(state);
    const read: number[] = [];
    const hits = search(state, { words: 'second' }, { onProgress: (_, all) => read.push(all) });
    assert.deepEqual(
      hits.map(({ title }) => title),
      ['renamed'],
    );
    assert.ok(read[0]! < statSync(join(sessionFolder(state, id), 'log.jsonl')).size, 'only what came is read');
    assert.deepEqual(found(state, 'first'), [`${id} input`], 'nothing is found twice');
    search(state, { words: 'second' }, { onProgress: () => assert.fail('nothing came since') });
    const other = await session(state, [input('second')]);
    rmSync(sessionFolder(state, id), { recursive: true });
    assert.deepEqual(found(state, 'second'), [`${other} input`]);
  });

  test('reads anew what was changed in place, shortened, or holds damage', async (t) => {
    const state = temporaryState(t);
    const id = await session(state, [input('alpha'), input('omega')]);
    const file = join(sessionFolder(state, id), 'log.jsonl');
    assert.deepEqual(found(state, 'omega'), [`${id} input`]);
    writeFileSync(file, readFileSync(file, 'utf8').replace('alpha', 'gamma'));
    utimesSync(file, 1, 1);
    assert.deepEqual([found(state, 'alpha'), found(state, 'gamma')], [[], [`${id} input`]]);
    const lines = readFileSync(file, 'utf8').split('\n');
    truncateSync(file, Buffer.byteLength(lines.slice(0, 2).join('\n')) + 1);
    assert.deepEqual(found(state, 'omega'), []);
    appendFileSync(file, `${lines[2]!.slice(0, 30)}\n`);
    await goOn(state, id, [input('later')]);
    assert.deepEqual([found(state, 'gamma'), found(state, 'later')], [[`${id} input`], [`${id} input`]]);
    assert.equal(list(state)[0]!.damage.length, 1);
  });

  test('finds a whole record that is glued to a torn one, whenever it came', async (t) => {
    const state = temporaryState(t);
    const id = await session(state, [input('alpha'), input('torn'), input('omega')]);
    const file = join(sessionFolder(state, id), 'log.jsonl');
    const [root, alpha, torn, omega] = readFileSync(file, 'utf8').split('\n');
    // It hangs on what can be read, as it does after a crash.
    const parent = (JSON.parse(alpha!) as { id: string }).id;
    const glued = omega!.replace(/"parent":"[^"]*"/, `"parent":"${parent}"`);
    writeFileSync(file, `${root}\n${alpha}\n`);
    assert.deepEqual(found(state, 'omega'), []);
    appendFileSync(file, `${torn!.slice(0, 90)}${glued}\n`);
    assert.deepEqual([found(state, 'omega'), found(state, 'alpha')], [[`${id} input`], [`${id} input`]]);
    assert.equal(list(state)[0]!.damage.length, 1);
    rmSync(indexFile(state));
    assert.deepEqual(found(state, 'omega'), [`${id} input`]);
  });

  test('finds an event whose line isn’t ended as soon as it is', async (t) => {
    const state = temporaryState(t);
    const id = await session(state, [input('alpha'), input('omega')]);
    const file = join(sessionFolder(state, id), 'log.jsonl');
    const whole = readFileSync(file);
    truncateSync(file, whole.length - 20);
    assert.deepEqual([found(state, 'omega'), list(state)[0]!.damage], [[], ['line 3: half a line']]);
    appendFileSync(file, whole.subarray(-20));
    assert.deepEqual([found(state, 'omega'), list(state)[0]!.damage], [[`${id} input`], []]);
  });

  test('goes through older logs, and around those that can’t be read', async (t) => {
    const state = temporaryState(t);
    const golden = new URL('../golden/log-format-1/log.jsonl', import.meta.url);
    const id = await session(state, []);
    const broken = await session(state, [input('broken')]);
    writeFileSync(join(sessionFolder(state, id), 'log.jsonl'), readFileSync(golden));
    writeFileSync(join(sessionFolder(state, broken), 'log.jsonl'), Buffer.from([0xff, 0xfe, 0x0a]));
    assert.ok(search(state, { kinds: ['input'] }).length > 0);
    assert.deepEqual(found(state, 'broken'), []);
  });
});

describe('the index', () => {
  test('is its owner’s alone, holds no text of events, and is made anew when it is damaged, of another version or gone', async (t) => {
    const state = temporaryState(t);
    const id = await session(state, [input('task'), result('a confidential-sounding sentence')]);
    assert.deepEqual(found(state, 'sentence'), [`${id} result`]);
    const file = indexFile(state);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(readFileSync(file).includes('confidential-sounding sentence'), false);
    for (const spoil of [
      () => writeFileSync(file, 'this is no database, but long enough to be taken for one'.repeat(100)),
      () => truncateSync(file, 5000),
      () => rmSync(file),
      () => writeFileSync(file, ''),
    ]) {
      spoil();
      assert.deepEqual(found(state, 'sentence'), [`${id} result`]);
    }
  });
});

test('where no index can be made, the list reads the logs and the search says why it can’t', async (t) => {
  const state = temporaryState(t);
  const id = await session(state, [input('alpha')]);
  mkdirSync(indexFile(state));
  assert.deepEqual(
    list(state).map((summary) => [summary.id, summary.input]),
    [[id, 'alpha']],
  );
  assert.throws(() => found(state, 'alpha'), { code: 'state-unwritable', message: /index\.sqlite/ });
});

test('what was typed is words, phrases and beginnings, never an operator', () => {
  assert.deepEqual(termsIn(' one "two  three" four* "five six"* -> * "" NEAR(a) "open'), [
    { text: 'one', isBeginning: false },
    { text: 'two  three', isBeginning: false },
    { text: 'four', isBeginning: true },
    { text: 'five six', isBeginning: true },
    { text: 'NEAR(a)', isBeginning: false },
    { text: 'open', isBeginning: false },
  ]);
  assert.equal(
    matchOf([
      { text: 'a"b', isBeginning: true },
      { text: 'c', isBeginning: false },
    ]),
    '"a""b" * "c"',
  );
});

test('an excerpt is the text around what was found', () => {
  const term = (text: string) => [{ text, isBeginning: false }];
  const text = `${'before '.repeat(50)}the dead_Lock here ${'after '.repeat(50)}`;
  const excerpt = around(text, term('dead lock'));
  assert.match(excerpt, /^…before .*the dead_Lock here after .*…$/);
  assert.ok(excerpt.length < 250);
  assert.equal(around('short', term('absent')), 'short');
  assert.equal(around('(a+b)*c', term('(a+b)*c')), '(a+b)*c');
});
