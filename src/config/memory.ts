/**
 * Notes that outlive sessions. What is kept are the changes, a record each, and the notes are their fold: so sessions side by side lose
 * nothing of each other, and the newest versions are still there.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ReinsError, type JsonObject } from '../core/index.ts';
import type { GrantPlace } from './grants.ts';
import { appendRecord, journalFile, readRecords } from './journal.ts';
import { trimRecords } from './journal-trim.ts';
import { changedText, readChange, type MemoryChange, type MemoryScope } from './memory-change.ts';
import { placesOf } from './places.ts';
import { isInside, realWorkspace } from './workspace.ts';

export interface MemoryPlace extends GrantPlace {
  scope: MemoryScope;
}

export interface MemoryVersion {
  /** From 1; 0 is the beginning, with no notes. */
  number: number;
  /** Of the change. */
  id: string;
  /** ISO 8601. */
  at: string;
  /** `user`, `model`, or `revert N`. */
  by: string;
  text: string;
}

export interface MemoryProposal {
  id: string;
  at: string;
  change: MemoryChange;
}

export interface Memory {
  text: string;
  versions: MemoryVersion[];
  /** What waits for a person, the oldest first. */
  proposals: MemoryProposal[];
  /** Why some or all doesn’t count. */
  problem?: string;
}

/** Proposals that may wait at once. */
const mostWaiting = 50;

/** Past so many bytes a journal is shortened to its newest versions and to what waits. */
const mostBytes = 1_048_576;
const mostKept = 100;

function fileOf({ scope, workspace, env, home }: MemoryPlace): { file: string; inside: boolean } {
  const { state } = placesOf(env, home);
  const real = realWorkspace(workspace);
  const file = scope === 'user' ? join(state, 'memory', 'user.jsonl') : journalFile(state, 'memory', real);
  return { file, inside: isInside(state, real) };
}

export function loadMemory(place: MemoryPlace): Memory {
  const { file, inside } = fileOf(place);
  const { records, problem } = readRecords(file);
  if (inside && records.length > 0) {
    const why = `${file} lies inside the workspace and doesn’t count.`;
    return { text: '', versions: [], proposals: [], problem: why };
  }
  const memory = folded(records);
  return problem === undefined ? memory : { ...memory, problem };
}

function folded(records: readonly JsonObject[]): Memory {
  const versions: MemoryVersion[] = [];
  const waiting = new Map<string, MemoryProposal>();
  const seen = new Set<string>();
  const textNow = (): string => versions.at(-1)?.text ?? '';
  for (const record of records) {
    const { id, propose, accept, reject } = record;
    if (typeof id === 'string' && seen.has(id)) continue;
    if (typeof id === 'string') seen.add(id);
    const [at, by] = [wordIn(record['at']), wordIn(record['by'])];
    if (typeof reject === 'string') waiting.delete(reject);
    const proposed = typeof accept === 'string' ? waiting.get(accept) : undefined;
    const change = proposed?.change ?? readChange(record['change']);
    if (change === undefined || typeof id !== 'string') continue;
    if (propose === true) {
      waiting.set(id, { id, at, change });
      continue;
    }
    const after = changedText(textNow(), change);
    // What no longer fits to what others made of the notes changes nothing, and a proposal goes on waiting.
    if ('refused' in after) continue;
    if (proposed !== undefined) waiting.delete(proposed.id);
    const next = (versions.at(-1)?.number ?? 0) + 1;
    const number = Math.max(next, numberIn(record['number']));
    versions.push({ number, id, at, by, text: after.text });
  }
  return { text: textNow(), versions, proposals: [...waiting.values()] };
}

/** What stands for the whole: the newest versions, the first of them with its number, and the proposals that wait. */
function shortened(records: readonly JsonObject[]): JsonObject[] {
  const { versions, proposals } = folded(records);
  const kept = versions.slice(-mostKept).map(({ text, ...version }) => ({
    ...version,
    change: { set: text },
  }));
  return [
    ...kept,
    ...proposals.map(({ id, at, change }) => ({ id, at, change: { ...change }, propose: true, by: 'model' })),
  ];
}

const numberIn = (value: unknown): number => {
  return typeof value === 'number' && Number.isSafeInteger(value) && value < 1e9 ? value : 0;
};

const wordIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The version that the change made, or why it made none. Throws `state-unwritable`. */
export function changeMemory(
  place: MemoryPlace,
  change: MemoryChange,
  by: string,
): MemoryVersion | { refused: string } {
  const before = changedText(loadMemory(place).text, change);
  if ('refused' in before) return before;
  return madeBy(place, append(place, { change: { ...change }, by }));
}

/** Lays a change down for a person; gives its id, or why it can’t be. Throws `state-unwritable`. */
export function proposeMemory(place: MemoryPlace, change: MemoryChange): { id: string } | { refused: string } {
  const { text, proposals } = loadMemory(place);
  const after = changedText(text, change);
  if ('refused' in after) return after;
  if (proposals.length >= mostWaiting) return { refused: `${mostWaiting} notes wait for the user already.` };
  const same = proposals.find((each) => JSON.stringify(each.change) === JSON.stringify(change));
  return { id: same?.id ?? append(place, { change: { ...change }, propose: true, by: 'model' }) };
}

/** Accepts or rejects what waits. Throws `usage-arguments` where nothing waits by this id, and `state-unwritable`. */
export function decideProposal(
  place: MemoryPlace,
  id: string,
  decision: 'accept' | 'reject',
): MemoryVersion | { refused: string } | undefined {
  const { text, proposals } = loadMemory(place);
  const proposal = proposals.find((each) => each.id === id);
  if (proposal === undefined) {
    throw new ReinsError(
      'usage-arguments',
      `No note waits as ${JSON.stringify(id)}; \`reins memory inbox\` lists them.`,
    );
  }
  if (decision === 'reject') {
    append(place, { reject: id, by: 'user' });
    return undefined;
  }
  const after = changedText(text, proposal.change);
  return 'refused' in after ? after : madeBy(place, append(place, { accept: id, by: 'model' }));
}

/** Read anew: another process may have been in between. */
function madeBy(place: MemoryPlace, id: string): MemoryVersion | { refused: string } {
  const version = loadMemory(place).versions.find((each) => each.id === id);
  return version ?? { refused: 'The notes were changed by someone else just now: look at them and try again.' };
}

function append(place: MemoryPlace, record: JsonObject): string {
  const { file, inside } = fileOf(place);
  if (inside) throw new ReinsError('state-unwritable', `${file} lies inside the workspace: no notes are kept there.`);
  const id = randomBytes(4).toString('hex');
  trimRecords(file, mostBytes, shortened);
  appendRecord(file, { id, ...record, at: new Date().toISOString() });
  return id;
}
