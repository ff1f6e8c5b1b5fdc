import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listSessions } from '../../../src/harness/index.ts';
import type { Place, Script } from '../../support/scenario-types.ts';

/** What power loss, a full disk or an editor can do to a log of whole lines. */
const tears: { [how: string]: (lines: string[]) => string } = {
  '37 bytes': (lines) => whole(lines).slice(0, -37),
  'the last reply': (lines) => {
    const at = lines.findLastIndex((line) => line.includes('"kind":"reply"'));
    return whole(lines.slice(0, at)) + half(lines[at]);
  },
  'half a record before a whole one': (lines) =>
    whole(lines.slice(0, -2)) + half(lines.at(-2)) + whole(lines.slice(-1)),
  'zeros at the end': (lines) => whole(lines).slice(0, -37) + '\0'.repeat(37),
  'a block of zeros after the end': (lines) => whole(lines) + '\0'.repeat(4096),
  'no line end': (lines) => whole(lines).slice(0, -1),
  'an empty line': (lines) => `${whole(lines)}\n`,
  'a line in the middle': (lines) => {
    const at = Math.floor(lines.length / 2);
    return whole([...lines.slice(0, at), `${half(lines[at])}\u0000}`, ...lines.slice(at + 1)]);
  },
  'the first line': (lines) => whole([half(lines[0]), ...lines.slice(1)]),
};

const whole = (lines: string[]): string => lines.map((line) => `${line}\n`).join('');
const half = (line = ''): string => line.slice(0, line.length / 2);

async function logOf({ environment, workspace }: Place): Promise<string> {
  const session = (await listSessions(environment)).find((each) => each.workspace === workspace || each.damaged);
  assert.ok(session, 'the session is not listed');
  return join(environment['XDG_STATE_HOME'] ?? '', 'reins', 'sessions', session.id, 'log.jsonl');
}

const torn = new Map<string, string>();

export const deeds: Script['deeds'] = {
  tear: async (place) => {
    const file = await logOf(place);
    const lines = readFileSync(file, 'latin1').split('\n').slice(0, -1);
    const how = place.values['how'] ?? '';
    const left = tears[how]?.(lines);
    assert.ok(left !== undefined, how);
    writeFileSync(file, left, 'latin1');
    torn.set(place.root, left);
  },
};

export const checks: Script['checks'] = {
  kept: async (place) => {
    const file = await logOf(place);
    const before = torn.get(place.root) ?? '';
    assert.ok(readFileSync(file, 'latin1').startsWith(before), 'bytes that were there are gone');
    const [session] = await listSessions(place.environment);
    assert.equal(session?.damaged, place.values['how'] !== 'no line end');
    const asked = place.server.requests.at(-1)?.question.messages ?? [];
    assert.equal(asked.filter(({ role }) => role === 'assistant').length, Number(place.values['turns']));
  },
};
