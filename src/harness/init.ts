/** The joint of `reins init`: what a repository could be checked with, as files that a person looks at before they are written. */
import { lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ReinsError, systemReason } from '../core/index.ts';
import { loadProposals, type ProposedCheck } from '../verify/index.ts';
import { trustWorkspace } from './trust.ts';

type Variables = { readonly [name: string]: string | undefined };

export interface InitFile {
  /** Relative to the workspace. */
  file: string;
  content: string;
  /** Something of that name, or another instruction file, is there: it stays as it is. */
  exists: boolean;
}

export interface InitProposal {
  /** Real path. */
  workspace: string;
  checks: ProposedCheck[];
  files: InitFile[];
}

const settingsFile = join('.reins', 'settings.json');
const instructionFiles = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'];

/** Looks at a workspace; nothing of it is run or written. Rejects with `workspace-missing`. */
export async function proposeInit(folder: string): Promise<InitProposal> {
  const workspace = realWorkspace(folder);
  const { proposeFor } = await loadProposals();
  const { checks, instructions } = proposeFor(workspace);
  const settings = { checks: checks.map(({ kind: _, because: __, ...check }) => check) };
  const exists = (...files: string[]): boolean => files.some((file) => isThere(join(workspace, file)));
  return {
    workspace,
    checks,
    files: [
      ...(checks.length === 0
        ? []
        : [{ file: settingsFile, content: `${JSON.stringify(settings, null, 2)}\n`, exists: exists(settingsFile) }]),
      { file: 'AGENTS.md', content: instructions, exists: exists(...instructionFiles) },
    ],
  };
}

/**
 * Writes a file that isn't there. Settings that a person has had written are that person's own: they are trusted as they are.
 * Rejects with `init-unwritable`.
 */
export async function writeInit(
  env: Variables | undefined,
  { workspace }: Pick<InitProposal, 'workspace'>,
  { file, content }: InitFile,
): Promise<void> {
  const path = join(workspace, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (realpathSync(dirname(path)) !== dirname(path)) throw new Error('its folder is a link');
    writeFileSync(path, content, { flag: 'wx' });
  } catch (error) {
    throw new ReinsError('init-unwritable', `${path} can’t be written: ${systemReason(error)}.`, { cause: error });
  }
  if (file === settingsFile) await trustWorkspace(env, workspace);
}

function realWorkspace(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    throw new ReinsError('workspace-missing', `${folder} is no folder.`, { cause: error });
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
