/** The joint between the analysis of commands and the place that they would run in: paths, Git, packages, the search path. */
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { createGitFacts, isFolder, isWithin, packageScripts, realPathAsFar } from '../exec/index.ts';
import { createCommandAnalyser, type Analyser } from '../safety/index.ts';

interface CommandPlace {
  /** Real path. */
  workspace: string;
  /** What commands are started with. */
  environment: { readonly [name: string]: string | undefined };
}

export function analyserFor({ workspace, environment }: CommandPlace): Analyser {
  const home = environment['HOME'] ?? homedir();
  const pathDoubt = doubtOf(environment['PATH'], workspace);
  return createCommandAnalyser({
    place: { workspace, home, git: createGitFacts({ home, environment }), scripts: packageScripts() },
    realPath: async (path) => realPathAsFar(path),
    isFolder: async (path) => isFolder(path),
    ...(pathDoubt !== undefined && { pathDoubt }),
  });
}

/** A name proves something only where the programs of that name are the system's. */
function doubtOf(path: string | undefined, workspace: string): string | undefined {
  const inside = (path ?? '')
    .split(':')
    .find((folder) => !isAbsolute(folder) || isWithin(realPathAsFar(folder), workspace));
  return inside === undefined
    ? undefined
    : `the search path for programs leads to ${inside === '' ? 'the current folder' : inside}`;
}
