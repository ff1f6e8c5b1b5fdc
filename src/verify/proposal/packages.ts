/** What the scripts of JavaScript packages offer as checks; of each package by itself where the root has none for all. */
import { basename } from 'node:path';
import type { ProposedCheck } from './ecosystems.ts';
import type { Repository } from './repository.ts';

/** What scripts are called that check, the usual name first. */
const names: readonly (Pick<ProposedCheck, 'kind' | 'when' | 'advisory'> & { scripts: readonly string[] })[] = [
  { kind: 'types', scripts: ['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'tsc'] },
  { kind: 'tests', scripts: ['test', 'test:unit', 'unit'] },
  { kind: 'lint', advisory: true, scripts: ['lint', 'eslint'] },
  { kind: 'build', when: 'end', scripts: ['build'] },
];

/** What npm writes into a package that has no tests. */
const placeholder = /no test specified/;

interface Manager {
  name: string;
  locks: readonly string[];
  inMember: (script: string, member: { folder: string; name: string }) => string;
}

const managers: readonly Manager[] = [
  {
    name: 'pnpm',
    locks: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
    inMember: (script, { name }) => `pnpm --filter ${name} run ${script}`,
  },
  { name: 'yarn', locks: ['yarn.lock'], inMember: (script, { name }) => `yarn workspace ${name} run ${script}` },
  {
    name: 'bun',
    locks: ['bun.lock', 'bun.lockb'],
    inMember: (script, { folder }) => `cd ${folder} && bun run ${script}`,
  },
  { name: 'npm', locks: [], inMember: (script, { folder }) => `npm run ${script} --workspace ${folder}` },
];

export function packageChecks(repository: Repository): ProposedCheck[] {
  if (!repository.has('package.json')) return [];
  const manager = managers.find(({ name, locks }) => name === 'npm' || repository.has(...locks));
  if (manager === undefined) return [];
  const rootScripts = repository.scripts();
  const members = repository.members();
  return names.flatMap(({ scripts, ...what }): ProposedCheck[] => {
    const script = called(rootScripts, scripts);
    if (script !== undefined) {
      const command =
        script === 'test' && manager.name !== 'bun' ? `${manager.name} test` : `${manager.name} run ${script}`;
      return [{ command, ...what, because: `the script ${script} of package.json` }];
    }
    return members.flatMap((folder) => memberCheck(repository, folder, { scripts, what, manager }));
  });
}

function memberCheck(
  repository: Repository,
  folder: string,
  { scripts, what, manager }: { scripts: readonly string[]; what: Pick<ProposedCheck, 'kind'>; manager: Manager },
): ProposedCheck[] {
  const script = called(repository.scripts(folder), scripts);
  const name = nameOf(repository.read(`${folder}/package.json`)) ?? basename(folder);
  // What would have to be quoted is left to whoever knows the repository.
  if (script === undefined || !/^[\w@./-]+$/.test(name + folder)) return [];
  const command = manager.inMember(script, { folder, name });
  return [{ command, ...what, paths: [`${folder}/**`], because: `the script ${script} of ${folder}/package.json` }];
}

function called(scripts: { [name: string]: string }, wanted: readonly string[]): string | undefined {
  return wanted.find((name) => scripts[name] !== undefined && !placeholder.test(scripts[name]));
}

function nameOf(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { name?: unknown };
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
