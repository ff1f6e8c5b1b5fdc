/** Proposes checks and instructions for a repository, from what lies in it. Nothing of it is run. */
import { basename } from 'node:path';
import { ecosystems, makeTargets, type ProposedCheck } from './ecosystems.ts';
import { packageChecks } from './packages.ts';
import { Repository } from './repository.ts';

export interface Proposal {
  checks: ProposedCheck[];
  /** The text of an instruction file. */
  instructions: string;
}

/** `root` is the real path of the workspace. */
export function proposeFor(root: string): Proposal {
  const repository = new Repository(root);
  const checks = checksFor(repository);
  return { checks, instructions: instructionsFor(repository, checks) };
}

function checksFor(repository: Repository): ProposedCheck[] {
  const found = [
    ...packageChecks(repository),
    ...ecosystems
      .filter(({ isThere }) => isThere(repository))
      .flatMap(({ because, checks }) => checks(repository).map((check) => ({ ...check, because }))),
  ];
  return found.some(({ kind }) => kind === 'tests') ? found : [...found, ...makeChecks(repository)];
}

function makeChecks(repository: Repository): ProposedCheck[] {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => repository.has(name));
  if (file === undefined) return [];
  const text = repository.read(file);
  const targets = Object.entries(makeTargets).filter(([name]) => new RegExp(`^${name}\\s*:(?!=)`, 'm').test(text));
  return targets.map(([name, what]) => ({
    command: `make ${name}`,
    ...what,
    because: `the target ${name} of ${file}`,
  }));
}

const mostFolders = 20;
const noFolders = new Set(['node_modules/', 'target/', 'dist/', 'build/', 'vendor/', '__pycache__/']);
const words = { tests: 'Tests', types: 'Types', lint: 'Lint', build: 'Build' };

function instructionsFor(repository: Repository, checks: readonly ProposedCheck[]): string {
  const folders = repository
    .list()
    .filter((name) => name.endsWith('/') && !name.startsWith('.') && !noFolders.has(name));
  const commands = checks.map(({ kind, command }) => `- ${words[kind]}: \`${command}\``);
  return [
    `# Working on ${basename(repository.root)}`,
    ...(commands.length === 0 ? [] : ['', '## Commands', '', ...commands]),
    ...(folders.length === 0
      ? []
      : ['', '## Layout', '', ...folders.slice(0, mostFolders).map((name) => `- \`${name}\`: `)]),
    '',
    '## Rules',
    '',
    '- Keep changes small, and prove them with the commands above.',
    '- Tests, scripts and configuration that define a check are changed only when the task asks for it.',
    '',
  ].join('\n');
}
