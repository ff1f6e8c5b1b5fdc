/**
 * Each folder in `fixtures/patches` is a patch with what it does: `before/` (files), `links` (`path -> target`, a line each) and `patch`;
 * then `after/`, or `error` with what the result must say, a piece a line (`denied` first where it isn't even run). `result`: pieces
 * of the result of one that is applied. `unread`: files that the model hasn't read.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { WorkspaceFile } from '../../src/testing/index.ts';
import { patchTool } from '../../src/tools/builtin/patch/index.ts';
import { readTool } from '../../src/tools/builtin/read/index.ts';
import { isProblem, parsePatch } from '../../src/tools/edits/index.ts';
import { toolSession } from './session.ts';

const root = fileURLToPath(new URL('fixtures/patches', import.meta.url));

function filesIn(folder: string): { [path: string]: Buffer } {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path)]));
}

function linesIn(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').replace(/\n$/, '').split('\n') : [];
}

describe('patches as folders', () => {
  for (const name of readdirSync(root).toSorted()) {
    const folder = join(root, name);
    const before = filesIn(join(folder, 'before'));
    const links = linesIn(join(folder, 'links')).map((line) => line.split(' -> '));
    const patch = readFileSync(join(folder, 'patch'), 'utf8');
    const error = linesIn(join(folder, 'error'));
    const unread = linesIn(join(folder, 'unread'));

    test(name, async () => {
      const files: { [path: string]: WorkspaceFile } = { ...before };
      for (const [path = '', target = ''] of links) files[path] = { link: target };
      await using session = await toolSession({ files, tools: [readTool, patchTool] });
      for (const path of Object.keys(before)) if (!unread.includes(path)) await session.call('read', { path });
      const result = await session.call('apply_patch', { patch });
      const after = error.length > 0 ? before : filesIn(join(folder, 'after'));
      const said = error.length > 0 ? error.filter((line) => line !== 'denied') : linesIn(join(folder, 'result'));
      const outcome = error.length === 0 ? 'ok' : error[0] === 'denied' ? 'denied' : 'error';
      assert.equal(result.outcome, outcome, result.text);
      for (const piece of said) assert.ok(result.text.includes(piece), `${piece}\n-- isn’t in --\n${result.text}`);
      const tree = await session.workspace.tree();
      const names = [...Object.keys(after), ...links.map(([path = '']) => path)];
      assert.deepEqual(new Set(Object.keys(tree)), new Set(names));
      for (const [path, bytes] of Object.entries(after)) assert.deepEqual(await session.workspace.read(path), bytes);
      for (const [path = '', target] of links) assert.equal(tree[path], `-> ${target}`);
      const changed = Object.keys({ ...before, ...after }).filter(
        (path) => !after[path]?.equals(before[path] ?? Buffer.from('\0none')),
      );
      assert.deepEqual((result.changes ?? []).map(({ path }) => path).toSorted(), changed.toSorted());
      assert.equal(result.mayHaveChanged, undefined);
    });
  }
});

test('a patch that was cut anywhere is refused, or only lacks what stands around it', () => {
  for (const name of readdirSync(root)) {
    const patch = readFileSync(join(root, name, 'patch'), 'utf8');
    const whole = parsePatch(patch);
    for (let length = 0; length < patch.length; length++) {
      const parsed = parsePatch(patch.slice(0, length));
      if (isProblem(parsed) || isProblem(whole)) continue;
      assert.deepEqual(parsed, whole, `${name}, cut to ${length} characters`);
    }
  }
});
