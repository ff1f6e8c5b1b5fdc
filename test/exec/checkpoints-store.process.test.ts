import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bringBack, filesOf, inShort, openStore, undoing, write } from './checkpoints-bench.ts';
import { git, makeFolder } from './workbench.ts';

const door = fileURLToPath(new URL('../../src/exec/checkpoints/index.ts', import.meta.url));

/** Starts another process with a store; `work` uses `store`, `root`, `fs` and `say`. */
function startOther(t: TestContext, root: string, store: string, session: string, work: string): ChildProcess {
  const script = `import { createCheckpoints } from ${JSON.stringify(door)};
    import fs from 'node:fs';
    const root = ${JSON.stringify(root)};
    const store = createCheckpoints({ workspace: root, store: ${JSON.stringify(store)}, session: ${JSON.stringify(session)} });
    const say = (text) => fs.writeSync(1, text + '\\n');
    ${work}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('close', (code) => resolve(code));
  });

/** The next line that another process says. */
const line = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())));

function manyFiles(t: TestContext, count: number): string {
  const root = makeFolder(t);
  for (let at = 0; at < count; at++) write(root, `folder-${at % 20}/file-${at}.txt`, `${at}\n`.repeat(1 + (at % 50)));
  return root;
}

/** Everything in a folder with its mode. */
function modesIn(folder: string): [path: string, mode: number][] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return ['.', ...names].map((name) => [name, lstatSync(join(folder, name)).mode & 0o7777]);
}

describe('the store', () => {
  test('belongs to its owner alone, whatever the process makes otherwise', async (t) => {
    const root = manyFiles(t, 100);
    const mask = process.umask(0);
    t.after(() => process.umask(mask));
    const path = join(makeFolder(t), 'new', 'store');
    const store = openStore(t, root, { store: path });
    await store.take();
    write(root, 'a.txt', 'a');
    await store.take();
    await store.close();
    process.umask(mask);
    for (const [name, mode] of modesIn(path)) assert.equal(mode & 0o077, 0, `${name} ${mode.toString(8)}`);
    assert.deepEqual(readdirSync(join(path, 'temporary')), []);
    // One that is open to others is closed again.
    chmodSync(path, 0o755);
    await openStore(t, root, { store: path }).take();
    assert.equal(statSync(path).mode & 0o777, 0o700);
  });

  test('is a Git repository that Git itself finds whole, and collects nothing in', async (t) => {
    const root = manyFiles(t, 100);
    const store = openStore(t, root);
    await store.take();
    for (const name of ['a', 'b', 'c']) {
      write(root, `${name}.txt`, name);
      await store.take();
    }
    const names = git(store.path, 'cat-file', '--batch-check', '--batch-all-objects', '--unordered');
    assert.ok(names.split('\n').length > 120);
    assert.doesNotMatch(names, /missing/);
    const check = spawnSync('git', ['fsck', '--no-dangling'], { cwd: store.path, encoding: 'utf8' });
    assert.doesNotMatch(check.stderr + check.stdout, /error|missing|corrupt|broken/);
    for (const command of [
      ['gc', '--prune=now'],
      ['prune', '--expire=now'],
      ['repack', '-adq'],
    ])
      spawnSync('git', command, { cwd: store.path });
    assert.deepEqual((await store.verify()).damaged, []);
  });

  test('says so when it can’t be used', async (t) => {
    const root = makeFolder(t, { 'a.txt': 'a' });
    const place = makeFolder(t, { file: '' });
    for (const path of [join(place, 'file'), '/proc/nothing/here']) {
      const store = openStore(t, root, { store: path });
      await assert.rejects(store.take(), { code: 'state-unwritable' });
      await assert.rejects(store.compare('a', 'b'), { code: 'state-unwritable' });
    }
    const store = openStore(t, root);
    await store.take();
    rmSync(join(store.path, 'objects'), { recursive: true });
    writeFileSync(join(store.path, 'objects'), '');
    write(root, 'a.txt', 'b');
    await assert.rejects(store.take(), { code: 'state-unwritable' });
    await assert.rejects(openStore(t, root, { session: '../escape' }).take(), TypeError);
    assert.deepEqual(await openStore(t, root).list('../../escape'), []);
  });

  test('lets the next session read only what changed since', async (t) => {
    const root = manyFiles(t, 300);
    for (let at = 0; at < 300; at++) {
      const path = join(root, `folder-${at % 20}/file-${at}.txt`);
      appendFileSync(path, 'x'.repeat(20_000));
      // Old enough to be trusted, without waiting.
      utimesSync(path, 1_000_000_000, 1_000_000_000);
    }
    const store = openStore(t, root);
    const first = await store.take();
    await untilSettled();
    await store.take();
    await store.close();
    const next = openStore(t, root, { store: store.path, session: 'second' });
    writeFileSync(join(root, 'folder-1/file-1.txt'), 'changed');
    const before = bytesRead();
    const second = await next.take();
    const read = bytesRead() - before;
    assert.ok(read < 2_000_000, `${read} of 6,000,000 bytes were read`);
    assert.deepEqual(inShort(await next.compare(first.id, second.id)), ['folder-1/file-1.txt: file -> file']);
    // A manifest that is damaged costs time and nothing else.
    await next.close();
    truncateSync(join(store.path, 'manifest'), 1000);
    const third = openStore(t, root, { store: store.path, session: 'third' });
    assert.deepEqual(await third.compare(second.id, (await third.take()).id), []);
  });

  test('tells what is damaged, and writes it anew when it is seen again', async (t) => {
    const root = makeFolder(t, { 'a.txt': 'a', 'b.txt': 'b' });
    const store = openStore(t, root);
    const { id } = await store.take();
    const hash = (await store.entry(id, 'a.txt'))!.hash!;
    const file = join(store.path, 'objects', hash.slice(0, 2), hash.slice(2));
    chmodSync(file, 0o600);
    writeFileSync(file, 'damaged');
    await assert.rejects(store.content(id, 'a.txt'), { code: 'blob-missing' });
    const target = { path: 'c.txt', entry: await store.entry(id, 'a.txt'), expected: null };
    assert.deepEqual(await store.restore([target]), [
      { path: 'c.txt', refused: 'its content is damaged in the store' },
    ]);
    assert.deepEqual(readdirSync(root).toSorted(), ['a.txt', 'b.txt']);
    assert.deepEqual((await store.verify()).damaged, [hash]);
    await store.take();
    assert.deepEqual((await store.verify()).damaged, []);
    assert.equal((await store.content(id, 'a.txt'))?.toString(), 'a');
  });
});

/** Files count as settled some time after they were changed; this is the only wait for a clock. */
const untilSettled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 250));

function bytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'latin1'))?.[1]);
}

test('a store in the workspace, and whatever else is to be passed over, is no part of it', async (t) => {
  const root = makeFolder(t, { 'a.txt': 'a', 'state/log': 'x', 'state/other': 'y', 'statement.txt': 'z' });
  const store = openStore(t, root, { store: join(root, 'kept/store'), exclude: [join(root, 'state'), '/elsewhere'] });
  const { id } = await store.take();
  assert.equal((await store.take()).id, id);
  appendFileSync(join(root, 'state/log'), 'more');
  assert.equal((await store.take({ paths: ['state/log', 'a.txt'] })).id, id);
  assert.deepEqual([await store.entry(id, 'state'), await store.entry(id, 'kept/store')], [null, null]);
  assert.equal((await store.content(id, 'statement.txt'))?.toString(), 'z');
});

describe('a large workspace', () => {
  const limits = { atOnce: 50 };

  test('has the paths that are asked for kept at once, as they were, and the rest in the background', async (t) => {
    const root = manyFiles(t, 400);
    const start = filesOf(root);
    const store = openStore(t, root, { limits });
    const path = join(root, 'folder-3/file-3.txt');
    const before = await store.take({ paths: [path, join(root, 'made/new.txt')] });
    assert.equal(before.partial, true);
    assert.equal((await store.content(before.id, path))?.toString(), '3\n'.repeat(4));
    write(root, 'folder-3/file-3.txt', 'agent');
    write(root, 'made/new.txt', 'agent');
    const after = await store.take({ paths: [path, join(root, 'made/new.txt')] });
    if (after.partial) {
      assert.deepEqual(inShort(await store.compare(before.id, after.id)), [
        'folder-3/file-3.txt: file -> file',
        'made/new.txt: nothing -> file',
      ]);
    }
    await store.settled();
    const [one, other] = [(await store.find(before.id))!, (await store.find(after.id))!];
    assert.deepEqual([one.partial, other.partial], [false, false]);
    const differences = await store.compare(before.id, after.id);
    assert.deepEqual(inShort(differences), [
      'folder-3/file-3.txt: file -> file',
      'made: nothing -> folder',
      'made/new.txt: nothing -> file',
    ]);
    assert.equal(store.latest()?.id, after.id);
    assert.equal((await store.take()).id, after.id);
    await store.restore(undoing(differences));
    assert.deepEqual(filesOf(root), start);
    // From then on only what is asked for is looked at.
    write(root, 'folder-5/file-5.txt', 'agent');
    const later = await store.take({ paths: ['folder-5/file-5.txt'] });
    assert.equal(later.partial, false);
  });

  test('is looked at in the background for a command that may change more than is known', async (t) => {
    const root = manyFiles(t, 400);
    const store = openStore(t, root, { limits });
    const first = await store.take();
    write(root, 'folder-7/file-7.txt', 'somebody');
    const before = await store.take({ paths: ['folder-1/file-1.txt'], rest: 'later' });
    assert.equal(before.partial, true);
    // Whoever asks for all meanwhile gets all, and those who wait are served in their order.
    const whole = store.take();
    const another = await store.take({ paths: ['folder-2/file-2.txt'] });
    await store.settled();
    assert.deepEqual(inShort(await store.compare(first.id, before.id)), ['folder-7/file-7.txt: file -> file']);
    for (const id of [another.id, (await whole).id]) assert.deepEqual(await store.compare(before.id, id), []);
    // In a small workspace that is no different from a look at all.
    const small = openStore(t, makeFolder(t, { 'a.txt': 'a' }));
    const at = await small.take({ paths: [], rest: 'later' });
    assert.deepEqual([at.partial, (await small.content(at.id, 'a.txt'))?.toString()], [false, 'a']);
  });

  test('gives way to others while it is looked at, and is no longer looked at when nobody needs it', async (t) => {
    const root = manyFiles(t, 3000);
    const store = openStore(t, root);
    const taken = store.take();
    assert.equal(
      await Promise.race([taken.then(() => 'taken'), new Promise((resolve) => setTimeout(resolve, 30, 'turn'))]),
      'turn',
    );
    await store.close();
    await assert.rejects(taken, { name: 'AbortError' });
    assert.deepEqual(await store.list(), []);
    // One that somebody waits for is completed first.
    const large = openStore(t, root, { limits });
    const { id, partial } = await large.take({ paths: ['folder-1/file-1.txt'] });
    assert.equal(partial, true);
    await large.close();
    assert.equal((await large.find(id))?.partial, false);
  });

  test('says when what goes on in the background can’t be kept', async (t) => {
    const root = manyFiles(t, 2000);
    const store = openStore(t, root, { limits });
    const { id } = await store.take({ paths: ['folder-1/file-1.txt'] });
    rmSync(join(store.path, 'temporary'), { recursive: true });
    await assert.rejects(store.settled(), { code: 'state-unwritable' });
    mkdirSync(join(store.path, 'temporary'));
    await store.settled();
    assert.equal((await store.find(id))?.partial, true);
    const next = await store.take();
    assert.deepEqual(await store.compare(id, next.id), []);
  });

  test('of one that was killed in between, what was kept at once is known', async (t) => {
    const root = manyFiles(t, 2000);
    const path = join(makeFolder(t), 'store');
    const child = startOther(
      t,
      root,
      path,
      'killed',
      `const store2 = createCheckpoints({ workspace: root, store: ${JSON.stringify(path)}, session: 'killed', limits: { atOnce: 10 } });
       const { id, partial } = await store2.take({ paths: ['folder-1/file-1.txt', 'none.txt'] });
       fs.writeFileSync(root + '/folder-1/file-1.txt', 'agent');
       fs.writeFileSync(root + '/none.txt', 'agent');
       say(id + ' ' + partial); process.kill(process.pid, 'SIGKILL');`,
    );
    const [id, partial] = (await line(child)).split(' ');
    await ended(child);
    assert.equal(partial, 'true');
    const store = openStore(t, root, { store: path });
    assert.equal((await store.find(id!))?.partial, true);
    const now = await store.take();
    const differences = await store.compare(id!, now.id);
    assert.deepEqual(inShort(differences), ['folder-1/file-1.txt: file -> file', 'none.txt: nothing -> file']);
    assert.ok((await store.restore(undoing(differences))).every((outcome) => 'done' in outcome));
    assert.equal(readFileSync(join(root, 'folder-1/file-1.txt'), 'utf8'), '1\n1\n');
    assert.deepEqual(await store.compareRepository(id!, now.id), []);
    assert.deepEqual((await store.verify()).damaged, []);
  });
});

describe('several processes', () => {
  test('share a store, each with snapshots of its own, while one keeps removing', async (t) => {
    const root = manyFiles(t, 60);
    const path = join(makeFolder(t), 'store');
    const work = `for (let i = 0; i < 25; i++) {
      fs.writeFileSync(root + '/folder-1/' + process.pid + '.txt', String(i).repeat(i * 100));
      const one = await store.take();
      fs.writeFileSync(root + '/folder-2/' + process.pid + '.txt', String(i));
      const two = await store.take({ paths: ['folder-2/' + process.pid + '.txt'] });
      const differences = await store.compare(one.id, two.id);
      if (!differences.some(({ path }) => path === 'folder-2/' + process.pid + '.txt')) throw new Error(JSON.stringify(differences));
      if (i % 5 === 4) await store.prune({ age: 0, bytes: 0 });
    }
    const all = await store.list();
    for (const { id } of all) if (await store.content(id, 'folder-0/file-0.txt') === null) throw new Error('lost');
    await store.close();`;
    const children = ['one', 'two', 'three'].map((session) => startOther(t, root, path, session, work));
    assert.deepEqual(await Promise.all(children.map(ended)), [0, 0, 0]);
    const store = openStore(t, root, { store: path });
    assert.deepEqual((await store.verify()).damaged, []);
    assert.deepEqual(readdirSync(join(path, 'temporary')), []);
  });

  test('that are killed at any moment leave a store that is whole, and nothing else behind', async (t) => {
    const root = manyFiles(t, 150);
    git(root, 'init', '-q', '-b', 'main');
    git(root, 'add', '.');
    const path = join(makeFolder(t), 'store');
    const work = `say('ready');
      for (let i = 0; ; i++) {
        for (let at = 0; at < 70; at++) fs.writeFileSync(root + '/folder-' + at % 20 + '/file-' + at + '.txt', String(Math.random()).repeat(200));
        fs.writeFileSync(root + '/large', Buffer.alloc(5_000_000, String(Math.random())));
        await store.take();
        fs.writeFileSync(root + '/small.txt', String(Math.random()));
        await store.take({ paths: ['small.txt'] });
        if (i % 3 === 2) await store.close();
        if (i % 4 === 3) await store.prune({ age: 0, bytes: 0 });
      }`;
    for (let round = 0; round < 12; round++) {
      const child = startOther(t, root, path, `round-${round}`, work);
      await line(child);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 700));
      child.kill('SIGKILL');
      await ended(child);
      const store = openStore(t, root, { store: path, session: `check-${round}` });
      const { damaged, snapshots } = await store.verify();
      assert.deepEqual(damaged, [], `round ${round}, ${snapshots} snapshots`);
      const { id } = await store.take();
      assert.deepEqual(readdirSync(join(path, 'temporary')), []);
      const packs = readdirSync(join(path, 'objects/pack'));
      assert.equal(packs.filter((name) => name.endsWith('.pack')).length, packs.length / 2);
      assert.ok(
        (await store.content(id, 'folder-1/file-1.txt'))?.equals(readFileSync(join(root, 'folder-1/file-1.txt'))),
      );
      await store.close();
    }
  });
});

describe('pruning', () => {
  test('removes sessions by age and size, never one that runs, and then what only they needed', async (t) => {
    const root = makeFolder(t, { 'always.txt': 'always' });
    const path = join(makeFolder(t), 'store');
    const ids = new Map<string, string>();
    for (const session of ['oldest', 'old', 'young']) {
      const store = openStore(t, root, { store: path, session });
      write(root, 'own.bin', Buffer.from(Array.from({ length: 100_000 }, () => Math.random() * 256)));
      ids.set(session, (await store.take()).id);
      await store.close();
      const age = { oldest: 3, old: 2, young: 1 }[session] ?? 0;
      const at = (Date.now() - age * 3_600_000) / 1000;
      utimesSync(join(path, 'sessions', `${session}.jsonl`), at, at);
    }
    rmSync(join(root, 'own.bin'));
    const running = startOther(
      t,
      root,
      path,
      'running',
      `say((await store.take()).id); await store.prune(); await new Promise(() => process.stdin.resume());`,
    );
    const id = await line(running);
    utimesSync(join(path, 'sessions', 'running.jsonl'), 1, 1);
    const store = openStore(t, root, { store: path, session: 'own' });
    const own = await store.take();
    const byAge = await store.prune({ age: 2.5 * 3_600_000 });
    assert.deepEqual(byAge?.sessions, ['oldest']);
    assert.ok(byAge.before - byAge.after > 90_000, `${byAge.before} ${byAge.after}`);
    assert.equal(await store.find(ids.get('oldest')!), undefined);
    assert.equal((await store.content(ids.get('old')!, 'own.bin'))?.length, 100_000);
    const bySize = await store.prune({ bytes: 150_000 });
    assert.deepEqual(bySize?.sessions, ['old']);
    assert.equal((await store.content(ids.get('young')!, 'own.bin'))?.length, 100_000);
    const all = await store.prune({ bytes: 0, age: 0 });
    assert.deepEqual(all?.sessions, ['young']);
    for (const each of [id, own.id]) assert.equal((await store.content(each, 'always.txt'))?.toString(), 'always');
    assert.deepEqual((await store.verify()).damaged, []);
    // Whoever removed things still knows what is there.
    write(root, 'after.txt', 'after');
    const later = await store.take();
    assert.equal((await store.content(later.id, 'after.txt'))?.toString(), 'after');
    running.kill('SIGKILL');
    await ended(running);
    assert.deepEqual((await store.prune({ age: 60_000 }))?.sessions, ['running']);
    assert.deepEqual((await store.verify()).damaged, []);
  });

  test('puts many small packs together, and leaves every snapshot whole', async (t) => {
    const root = makeFolder(t);
    const store = openStore(t, root);
    const ids: string[] = [];
    for (let round = 0; round < 53; round++) {
      for (let at = 0; at < 60; at++) write(root, `${at}.txt`, `${round} ${at}`);
      ids.push((await store.take()).id);
    }
    const packs = () => readdirSync(join(store.path, 'objects/pack')).filter((name) => name.endsWith('.pack')).length;
    assert.ok(packs() > 50);
    assert.deepEqual((await store.prune())?.sessions, []);
    assert.equal(packs(), 1);
    assert.deepEqual((await store.verify()).damaged, []);
    for (const [round, id] of ids.entries())
      assert.equal((await store.content(id, '59.txt'))?.toString(), `${round} 59`);
  });

  test('has a limit that holds: what doesn’t fit any more is named', async (t) => {
    const root = makeFolder(t);
    const random = () => Buffer.from(Array.from({ length: 100_000 }, () => Math.random() * 256));
    const store = openStore(t, root, { limits: { store: 300_000 } });
    for (let round = 0; round < 8; round++) {
      write(root, 'large.bin', random());
      write(root, 'small.txt', `${round}`);
      await store.take();
    }
    const last = await store.take();
    assert.deepEqual(last.missing, [{ path: 'large.bin', why: 'the store of snapshots is full (293.0 KiB)' }]);
    assert.equal((await store.content(last.id, 'small.txt'))?.toString(), '7');
    const sizes = readdirSync(join(store.path, 'objects'), { recursive: true, encoding: 'utf8' }).map((name) =>
      statSync(join(store.path, 'objects', name)),
    );
    assert.ok(sizes.filter((status) => status.isFile()).reduce((sum, { size }) => sum + size, 0) < 450_000);
  });
});

test('what was brought back by one process is seen by another', async (t) => {
  const root = makeFolder(t, { 'a.txt': 'a' });
  mkdirSync(join(root, 'empty'));
  const first = openStore(t, root);
  const second = openStore(t, root, { store: first.path, session: 'second' });
  const before = await first.take();
  write(root, 'a.txt', 'agent');
  rmSync(join(root, 'empty'), { recursive: true });
  const after = await first.take();
  assert.deepEqual(await bringBack(second, before.id, after.id), []);
  assert.equal(readFileSync(join(root, 'a.txt'), 'utf8'), 'a');
  assert.deepEqual(await first.compare(before.id, (await first.take()).id), []);
});
