/** A workspace of a test, with git where it is asked for; removed when the test ends. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { EventData, View } from '../../src/core/index.ts';
import { createGit } from '../../src/exec/index.ts';
import { createVerifier, type Git } from '../../src/verify/index.ts';

type Checkpoint = EventData['checkpoint'];

const environment = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

export class Repository {
  readonly root: string;
  readonly git: Git;
  #last: Checkpoint | undefined;
  #verifier: ReturnType<typeof createVerifier>;

  constructor(t: Pick<TestContext, 'after'>, folder = '') {
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'reins-verify-')));
    t.after(() => rmSync(top, { recursive: true, force: true }));
    this.root = join(top, folder);
    mkdirSync(this.root, { recursive: true });
    this.git = gitAt(this.root);
    this.#verifier = verifierOf(this.root, this.git);
  }

  /** Runs git as a person would. */
  do(...args: string[]): string {
    return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
      cwd: this.root,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  init(): this {
    this.do('init', '--quiet', '--initial-branch=main');
    return this;
  }

  write(path: string | Buffer, content: string | Buffer): void {
    const full = Buffer.concat([Buffer.from(`${this.root}/`), Buffer.from(path as string)]);
    const end = full.lastIndexOf(0x2f);
    mkdirSync(full.subarray(0, end), { recursive: true });
    writeFileSync(full, content);
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  commit(files: { [path: string]: string } = {}): string {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    this.do('add', '--all');
    this.do('commit', '--quiet', '--allow-empty', '--message=x');
    return this.do('rev-parse', 'HEAD').trim();
  }

  /** Takes a snapshot and compares it with the one before. */
  async snapshot(): Promise<Checkpoint> {
    this.#last = await this.#verifier.snapshot(viewWith(this.#last));
    return this.#last;
  }

  /** The paths that changed since the snapshot before. */
  async changed(): Promise<string[] | undefined> {
    return (await this.snapshot()).changed;
  }

  parent(): string {
    return dirname(this.root);
  }
}

/** The real door of git. */
const gitAt = (workspace: string): Git => createGit({ workspace, environment });

export function verifierOf(workspace: string, git: Git): ReturnType<typeof createVerifier> {
  const runner = { run: () => Promise.reject(new Error('no checks here')) };
  return createVerifier({ workspace, runner, git, gitAt, searchPath: process.env['PATH'] ?? '' });
}

/** A view as far as the verifier looks at one. */
export function viewWith(checkpoint: Checkpoint | undefined): View {
  return { ledger: { checkpoint } } as unknown as View;
}
