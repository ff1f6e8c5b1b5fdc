/** What the model's own commands prove of its changes: only a real check of what changed, after the last change. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { coversPath, type DefinerChange, type EventData, type OwnCommand, type View } from '../core/index.ts';
import { commandLineOf } from './command-words.ts';
import type { Git } from './needs.ts';
import { isAbout, proofOf, sourceFiles, type Judgement, type Proof } from './programs/index.ts';
import { onceEach, redefinedFor } from './tampering/index.ts';

export interface OwnCheckDoors {
  /** The real path of the workspace. */
  workspace: string;
  git: Git;
  /** The PATH that commands start with. */
  searchPath: string;
  /** The present snapshot of the workspace, where snapshots are kept. */
  present?: (() => Promise<string | undefined>) | undefined;
}

type OwnChecks = Omit<EventData['own-checks'], 'covers'>;

interface Weighed extends OwnCommand {
  command: string;
  judgement: Judgement;
  isFresh: boolean;
}

export async function ownChecks(view: View, doors: OwnCheckDoors): Promise<OwnChecks> {
  const weighed = await weigh(view, doors);
  const failed = weighed.find(({ exit, judgement }) => exit !== 0 && 'proofs' in judgement);
  const passed = weighed.filter(({ exit, isFresh, judgement }) => exit === 0 && isFresh && 'proofs' in judgement);
  const proofs = passed.flatMap(({ judgement }) => ('proofs' in judgement ? judgement.proofs : []));
  const why =
    failed === undefined
      ? doubtOf(weighed, proofs, view)
      : `The model’s own \`${failed.command}\` failed when it ran last.`;
  const redefined = await redefinedIn(passed, view, doors);
  return {
    proves: why === '',
    commands: passed.map(({ call, command, judgement }) => ({ call, command, kind: kindOf(judgement) })),
    why,
    ...(redefined.length > 0 && { redefined }),
  };
}

/** The commands of the task, each as it ended last, the newest first. */
async function weigh(view: View, { workspace, present }: OwnCheckDoors): Promise<Weighed[]> {
  const { ledger, transcript } = view;
  const { lastChange = '', task } = ledger;
  const now = task.commands.some(({ after }) => after !== undefined) ? await present?.() : undefined;
  const seen = new Set<string>();
  return task.commands.toReversed().flatMap((own): Weighed[] => {
    const command = commandLineOf(transcript.calls.get(own.call));
    if (command === undefined || !own.whole) return [];
    const folder = own.folder === undefined ? '.' : relative(workspace, own.folder) || '.';
    const key = `${folder}\0${command}`;
    if (seen.has(key) || folder.startsWith('..') || isAbsolute(folder)) return [];
    seen.add(key);
    const place = { workspace, folder, exists: (path: string) => existsSync(join(workspace, path)) };
    const isUnchanged = own.after !== undefined && own.before === own.after && own.after === now;
    return [{ ...own, command, judgement: proofOf(command, place), isFresh: own.id > lastChange || isUnchanged }];
  });
}

/** Why nothing is proven; empty where it is. */
function doubtOf(weighed: readonly Weighed[], proofs: readonly Proof[], view: View): string {
  if (proofs.length === 0) return noProof(weighed);
  const { changed } = view.ledger.task;
  const paths = [...(changed.size > 0 ? changed : view.ledger.changedAt.keys())];
  const sources = paths.filter((path) => coversPath(sourceFiles, path));
  const isWhole = proofs.some(({ kind, only }) => kind === 'tests' && only === undefined);
  if (sources.length === 0) return isWhole ? '' : 'What the model ran checks nothing of what changed.';
  const open = sources.filter((path) => !proofs.some((proof) => isAbout(proof, path)));
  return open.length === 0 ? '' : `What the model ran does not check ${open.toSorted().join(', ')}.`;
}

function noProof(weighed: readonly Weighed[]): string {
  const stale = weighed.find(({ judgement, isFresh }) => 'proofs' in judgement && !isFresh);
  if (stale !== undefined) return `The model’s own \`${stale.command}\` ran before the last change.`;
  const [last] = weighed.filter(({ exit }) => exit === 0);
  if (last === undefined || !('doubt' in last.judgement)) return 'The model ran nothing that passed.';
  return `The model’s own \`${last.command}\` proves nothing: ${last.judgement.doubt}.`;
}

function kindOf(judgement: Judgement): Proof['kind'] {
  return ('proofs' in judgement ? judgement.proofs[0]?.kind : undefined) ?? 'tests';
}

async function redefinedIn(passed: readonly Weighed[], view: View, doors: OwnCheckDoors): Promise<DefinerChange[]> {
  const changes = await Promise.all(passed.map(({ command }) => redefinedFor(command, view, doors)));
  return onceEach(changes.flat());
}
