/** A workspace with everything that an undo has to bring back, and ways to see that it did. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Turn } from '../../../src/testing/index.ts';
import { linesOf, openBench, type Bench, type Ended, type StartOptions } from './command-line.ts';
import { filesBelow } from '../../support/files-below.ts';
import { gitIn } from '../../support/git-in.ts';

export interface RunOptions extends StartOptions {
  mode?: 'auto' | 'unsafe' | 'edit';
  /** Further words of the command line. */
  words?: string[];
  expected?: number;
}

export interface UndoBench extends Bench {
  git: (...words: string[]) => string;
  /** Writes a file into the workspace. */
  file: (path: string, text: string) => string;
  /** Everything in the workspace but Git's own folder, by path: kind, mode and bytes. */
  files(): Map<string, string>;
  /** What Git's data mean: references, stashes, HEAD, status and index. Git notes in its index also when it last looked at files: `bytes` has that. */
  repository(folder?: string): { [what: string]: string };
  /** A run of these turns, with a closing one behind them. */
  run(turns: Turn[], options?: RunOptions): Promise<Ended>;
  /** Any command that gives one JSON object; the exit code is asserted. */
  json(words: string[], exit?: number): Promise<Report>;
}

export interface Report {
  turns: number[];
  changes: { path: string; before: string | null; after: string | null }[];
  kept: { path: string; why: string }[];
  repository: string[];
  dryRun: boolean;
}

export function openUndoBench(context: TestContext): UndoBench {
  const bench = openBench(context);
  const { workspace, environment } = bench;
  const run = async (turns: Turn[], options: RunOptions = {}): Promise<Ended> => {
    const { mode = 'auto', words = [], expected = 0, ...rest } = options;
    const model = bench.scenario({ position: 'count', turns: [...turns, { text: 'Done.' }] });
    const all = ['run', '--mode', mode, '--check', 'none', '--model', model, ...words];
    const ended = await bench.reins(words.includes('--continue') ? all : [...all, 'work'], rest);
    assert.equal(ended.exit, expected, ended.err);
    return ended;
  };
  return {
    ...bench,
    file: (path, text) => bench.file(path, text),
    git: (...words) => gitIn(workspace, environment['HOME'], words),
    files: () => filesBelow(workspace),
    repository: (folder = '.') => repositoryIn(join(workspace, folder), environment),
    run,
    json: async (words, exit = 0) => {
      const ended = await bench.reins([...words, '--json']);
      assert.equal(ended.exit, exit, `${ended.out}${ended.err}`);
      return linesOf(ended.out)[0] as unknown as Report;
    },
  };
}

function repositoryIn(folder: string, environment: { [name: string]: string }): { [what: string]: string } {
  const git = (...words: string[]) => gitIn(folder, environment['HOME'], words);
  const index = git('rev-parse', '--path-format=absolute', '--git-path', 'index').trim();
  return {
    index: git('ls-files', '--stage', '-v'),
    bytes: readFileSync(index).toString('latin1'),
    references: git('for-each-ref'),
    stashes: git('log', '-g', '--format=%H %gs', '--all', '--')
      .split('\n')
      .filter((line) => line.includes('WIP'))
      .join('\n'),
    head: git('rev-parse', 'HEAD') + git('symbolic-ref', '-q', 'HEAD'),
    status: git('status', '--porcelain=v2', '--ignored'),
    damage: git('fsck', '--no-dangling', '--no-progress'),
  };
}
