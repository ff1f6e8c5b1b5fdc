/** Writes what was planned, file by file, and puts back what was written when a later file is refused. */
import type { Change } from '../../../core/index.ts';
import type { Files } from '../../needs.ts';
import { isRefusal, messageOf } from '../../outcome.ts';
import type { FilePlan } from './plan.ts';

interface Step {
  real: string;
  name: string;
  /** The bytes before and after it; null where there is no file. */
  before: { bytes: Buffer; hash: string } | null;
  after: Buffer | null;
  /** The real path of the file that moves here: the new one takes its mode. */
  like?: string;
}

interface DoneStep extends Step {
  /** SHA-256 of what stands there now. */
  now: string | null;
}

/** A file that is not as it was before, though the patch failed. */
export interface LeftFile {
  name: string;
  why: string;
  change: Change;
}

export type Commit =
  /** Hashes of what was written, by real path. */
  | { hashes: Map<string, string> }
  | {
      failed: { name: string; why: string };
      /** Names of files that were written and put back, and of those that were removed and made anew. */
      restored: string[];
      remade: string[];
      left: LeftFile[];
    };

/**
 * Once the signal is aborted nothing more is written, and what was written is put back; removals, which are last and quick, are brought
 * to their end.
 */
export async function commit(plans: readonly FilePlan[], files: Files, signal: AbortSignal): Promise<Commit> {
  const done: DoneStep[] = [];
  for (const step of stepsOf(plans)) {
    const isOver = signal.aborted && step.after !== null;
    const now = isOver ? { refused: 'the call was ended before it' } : await attempt(() => perform(step, files));
    if (isRefusal(now)) return { failed: { name: step.name, why: now.refused }, ...(await putBack(done, files)) };
    done.push({ ...step, now });
  }
  return { hashes: new Map(done.flatMap(({ real, now }) => (now === null ? [] : [[real, now]]))) };
}

/** Removals come last: what is written can be put back with its mode and owner, what is removed can't. */
function stepsOf(plans: readonly FilePlan[]): Step[] {
  const writes: Step[] = [];
  const removals: Step[] = [];
  for (const plan of plans) {
    const { real, name } = plan;
    if (plan.kind === 'add') writes.push({ real, name, before: null, after: plan.bytes });
    else if (plan.kind === 'delete') removals.push({ real, name, before: plan.state, after: null });
    else if (plan.target === undefined) writes.push({ real, name, before: plan.state, after: plan.bytes });
    else {
      writes.push({ ...plan.target, before: null, after: plan.bytes, like: real });
      removals.push({ real, name, before: plan.state, after: null });
    }
  }
  return [...writes, ...removals];
}

type Refused = { refused: string };

async function perform({ real, before, after, like }: Step, files: Files): Promise<string | null | Refused> {
  if (after !== null) return files.write(real, after, before?.hash ?? null, like);
  return before === null ? null : files.remove(real, before.hash);
}

/** What breaks in the middle is no reason to leave half a patch behind. */
async function attempt<T>(work: () => Promise<T | Refused>): Promise<T | Refused> {
  try {
    return await work();
  } catch (error) {
    return { refused: messageOf(error) };
  }
}

type PutBack = Pick<Extract<Commit, { failed: unknown }>, 'restored' | 'remade' | 'left'>;

async function putBack(done: readonly DoneStep[], files: Files): Promise<PutBack> {
  const result: PutBack = { restored: [], remade: [], left: [] };
  for (const step of done.toReversed()) {
    const refused = await attempt(() => restore(step, files));
    if (isRefusal(refused)) result.left.push(await leftFile(step, refused.refused, files));
    else if (step.after === null) result.remade.push(step.name);
    else result.restored.push(step.name);
  }
  return result;
}

async function restore({ real, before, now }: DoneStep, files: Files): Promise<string | null | Refused> {
  if (before !== null) return files.write(real, before.bytes, now);
  return now === null ? null : files.remove(real, now);
}

async function leftFile({ real, name, before, now }: DoneStep, why: string, files: Files): Promise<LeftFile> {
  const state = await attempt(() => files.read(real));
  const after = isRefusal(state) ? now : (state?.hash ?? null);
  return { name, why, change: { path: real, before: before?.hash ?? null, after } };
}
