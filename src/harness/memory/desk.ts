/** Notes for people: looked at, changed, taken back, and what the model proposed decided. */
import {
  changeMemory,
  decideProposal,
  differenceBetween,
  loadMemory,
  type Memory,
  type MemoryChange,
  type MemoryPlace,
} from '../../config/index.ts';
import { ReinsError } from '../../core/index.ts';
import { secretsOutside } from '../secrets.ts';
import { objectionTo } from './screening.ts';

export interface MemoryRow {
  number: number;
  at: string;
  by: string;
  /** Unified, against the version before. */
  diff: string;
}

export interface MemoryReport extends Pick<Memory, 'text' | 'proposals'> {
  history: MemoryRow[];
  problem?: string;
}

export interface MemoryOutcome {
  number: number;
  diff: string;
}

export async function memoryReport(place: MemoryPlace): Promise<MemoryReport> {
  const { text, proposals, versions, problem } = loadMemory(place);
  const history: MemoryRow[] = [];
  for (const [index, { number, at, by, text: after }] of versions.entries()) {
    history.push({ number, at, by, diff: await differenceBetween(versions[index - 1]?.text ?? '', after) });
  }
  return { text, proposals, history, ...(problem !== undefined && { problem }) };
}

/** Rejects with `usage-arguments` for what may not be noted, and `state-unwritable`. */
export async function setMemory(place: MemoryPlace, text: string, by = 'user'): Promise<MemoryOutcome> {
  await refuseObjections(place, { set: text });
  const before = loadMemory(place).text;
  return outcome(before, changeMemory(place, { set: text }, by));
}

/** Back to how the notes were at a version (0: empty), as a new version. Rejects like `setMemory`. */
export async function revertMemory(place: MemoryPlace, number: number): Promise<MemoryOutcome> {
  const { versions } = loadMemory(place);
  const text = number === 0 ? '' : versions.find((each) => each.number === number)?.text;
  if (text === undefined) {
    throw new ReinsError('usage-arguments', `There is no version ${number}; \`reins memory history\` lists them.`);
  }
  return setMemory(place, text, `revert ${number}`);
}

/** Rejects with `usage-arguments` where nothing waits by this id or it doesn’t fit any more, and `state-unwritable`. */
export async function decideMemory(
  place: MemoryPlace,
  id: string,
  decision: 'accept' | 'reject',
): Promise<MemoryOutcome | undefined> {
  const { text, proposals } = loadMemory(place);
  const change = proposals.find((each) => each.id === id)?.change;
  if (decision === 'accept' && change !== undefined) await refuseObjections(place, change);
  const made = decideProposal(place, id, decision);
  return made === undefined ? undefined : outcome(text, made);
}

async function outcome(before: string, made: ReturnType<typeof changeMemory>): Promise<MemoryOutcome> {
  if ('refused' in made) throw new ReinsError('usage-arguments', made.refused);
  return { number: made.number, diff: await differenceBetween(before, made.text) };
}

/** What a file on disk holds could have been written by anybody, so everything is looked at, whoever brings it. */
async function refuseObjections({ env, workspace }: MemoryPlace, change: MemoryChange): Promise<void> {
  const text = 'set' in change ? change.set : (change.note ?? '');
  const objection = await objectionTo(text, secretsOutside(env, workspace));
  if (objection !== undefined) throw new ReinsError('usage-arguments', objection);
}
