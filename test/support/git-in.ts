/** Git at work in a folder as a person's Git would be, with no settings but those of the given home. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];

/** What git prints for these words; one that fails fails the test. */
export function gitIn(folder: string, home: string | undefined, words: readonly string[], input?: Buffer): string {
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0' };
  const options = { cwd: folder, env, encoding: 'utf8', ...(input !== undefined && { input }) } as const;
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...words], options);
  assert.equal(status, 0, `git ${words.join(' ')}: ${stderr}`);
  return stdout;
}
