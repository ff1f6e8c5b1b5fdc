import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

describe('what is built', () => {
  const place = mkdtempSync(join(tmpdir(), 'reins-build-'));
  const dist = join(place, 'dist');
  after(() => rmSync(place, { recursive: true, force: true }));
  before(async () => {
    copyFileSync(join(root, 'package.json'), join(place, 'package.json'));
    await run(process.execPath, [join(root, 'scripts/build.mjs'), dist]);
  });

  test('the command line works on its own and does a rehearsed run', async () => {
    const workspace = join(place, 'workspace');
    mkdirSync(workspace);
    const scenario = join(place, 'scenario.json');
    const call = { name: 'write', arguments: { path: 'a.txt', content: 'written\n' } };
    writeFileSync(scenario, JSON.stringify({ turns: [{ calls: [call] }, { text: 'Done.' }] }));
    const env = { PATH: process.env['PATH'], HOME: join(place, 'home') };
    const cli = (...args: string[]) => run(process.execPath, [join(dist, 'cli.js'), ...args], { env, cwd: workspace });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    assert.equal((await cli('--version')).stdout, `${version}\n`);
    const { stdout } = await cli(
      'run',
      '--mode',
      'edit',
      '--check',
      'none',
      '--model',
      `script:${scenario}`,
      'write it',
    );
    assert.equal(stdout, 'Done.\n');
    assert.equal(readFileSync(join(workspace, 'a.txt'), 'utf8'), 'written\n');
    assert.match((await cli('log', '--verify')).stdout, /whole|nothing|fine|ok|right/i);
  });

  test('no module of Node is imported whole', () => {
    const files = ['cli.js', ...readdirSync(join(dist, 'cli')).map((name) => join('cli', name))].filter((name) =>
      name.endsWith('.js'),
    );
    assert.ok(files.length > 10);
    for (const file of files) {
      assert.doesNotMatch(readFileSync(join(dist, file), 'utf8'), /^import .*['"]node:|\bimport\(['"]node:/m, file);
    }
  });

  test('the library has its doors, with types', async () => {
    for (const door of ['harness', 'tools', 'model', 'testing']) {
      assert.ok(readdirSync(join(dist, door)).includes('index.d.ts'), door);
    }
    const { defineTool } = (await import(join(dist, 'tools/index.js'))) as { defineTool: unknown };
    assert.equal(typeof defineTool, 'function');
  });
});
