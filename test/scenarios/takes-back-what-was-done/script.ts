import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../../support/compiled.ts';
import type { Place, Script } from '../../support/scenario-types.ts';

interface Before {
  workspace: unknown;
  git: string;
}
const before = new Map<string, Before>();

function call({ workspace, environment }: Place, program: string, words: string[]): string {
  const ended = spawnSync(program, words, { cwd: workspace, env: environment, encoding: 'utf8' });
  assert.equal(ended.status, 0, `${program} ${words.join(' ')}: ${ended.stdout}${ended.stderr}`);
  return ended.stdout;
}

const git = (place: Place, ...words: string[]) =>
  call(place, 'git', ['--no-optional-locks', '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words]);

/** References, stashes, index and status. */
function meaning(place: Place): string {
  const asked = [
    ['for-each-ref'],
    ['stash', 'list', '--format=%H'],
    ['ls-files', '-s'],
    ['status', '--porcelain', '--ignored'],
  ];
  return asked.map((words) => git(place, ...words)).join('\n');
}

/** Work of a person that nobody else has: stashed, staged, changed, untracked and ignored. */
function prepare(place: Place): void {
  const write = (path: string, text: string) => writeFileSync(join(place.workspace, path), text);
  write('a.txt', 'stashed\n');
  git(place, 'stash', 'push', '-q');
  write('s.txt', 'staged\n');
  git(place, 'add', 's.txt');
  write('u.txt', 'mine\n');
  write('.gitignore', `${readFileSync(join(place.workspace, '.gitignore'), 'utf8')}.venv/\n`);
  for (const folder of ['.venv', 'data']) mkdirSync(join(place.workspace, folder));
  write('.venv/x', 'ignored\n');
  write('k.env', 'KEY=1\n');
  for (const name of ['1', '2']) write(`data/${name}.jsonl`, `${name}\n`);
  before.set(place.root, { workspace: place.look().workspace, git: meaning(place) });
}

export const deeds: Script['deeds'] = {
  prepare,
  undo: (place) => {
    const reins = (word: string) =>
      call(place, process.execPath, [commandLine, word, ...(word === 'undo' ? ['--all'] : [])]);
    const worked = place.look().workspace;
    reins('undo');
    reins('redo');
    assert.deepEqual(place.look().workspace, worked);
    reins('undo');
    assert.equal(meaning(place).replace('?? data/late.jsonl\n', ''), before.get(place.root)?.git);
  },
};
