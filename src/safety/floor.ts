/** The floor: what no mode, rule, grant or hook lifts. Short, so that it can be known by heart. */
import type { TouchedPath } from '../core/index.ts';
import { credentialAt, isEnvironmentFile } from './credentials.ts';
import { isForkBomb } from './disasters.ts';
import type { JudgedCall, Judgement } from './needs.ts';
import { programName, type JudgedPart } from './part.ts';
import { inWorkspace, isProtected } from './paths.ts';
import { ownPlace, type PolicyPlaces } from './places.ts';
import { ruinOf } from './ruin.ts';
import { shutdownIn } from './shutdown.ts';

export interface FloorPlaces extends PolicyPlaces {
  /** The user’s settings let the model see the workspace’s environment files. */
  environmentFiles?: boolean;
}

const usable = 'File tools work on files of the workspace, by real paths, and write nothing in .git and .reins.';

/** The refusal of a whole call: what concerns none of its parts by itself. */
export function judgeCallByFloor({ effects: { refused, command } }: JudgedCall): Judgement | undefined {
  if (refused !== undefined) return deny(`${refused}. ${usable}`);
  if (command === undefined || !isForkBomb(command)) return undefined;
  return deny('the command means a fork bomb. Leave it out.');
}

/** The refusal of a part that goes below the floor, or nothing. */
export function judgeByFloor(part: JudgedPart, places: FloorPlaces): Judgement | undefined {
  const why = part.text === undefined ? wrongPath(part, places) : wrongCommand(part, places);
  if (why !== undefined) return deny(why);
  const fear = part.text === undefined ? undefined : ruinOf(part, places)?.what;
  if (fear === undefined) return undefined;
  return { decision: 'ask', by: 'floor', reason: `the command may mean ${fear}. Spell out what is to go.` };
}

/** Of tools: they work in the workspace only. */
function wrongPath({ paths }: JudgedPart, places: FloorPlaces): string | undefined {
  for (const touched of paths) {
    const { access, path } = touched;
    if (path === places.planFile) continue;
    const relative = inWorkspace(path, places.workspace);
    if (relative === undefined) return `${path} is outside the workspace. ${usable}`;
    if (access !== 'read' && isProtected(relative)) return `${relative} belongs to Git or Reins. ${usable}`;
    const secret = secretAt(touched, places);
    if (secret !== undefined) return secret;
  }
  return undefined;
}

function wrongCommand(part: JudgedPart, places: FloorPlaces): string | undefined {
  const end = shutdownIn(part);
  if (end !== undefined) return `the command means ${end}. Leave it to the user.`;
  const ruin = ruinOf(part, places);
  if (ruin?.maybe === false) return `the command means ${ruin.what}. Name just what is to go.`;
  for (const touched of part.paths) {
    const secret = secretAt(touched, places);
    if (secret !== undefined) return secret;
    const own =
      touched.access === 'read' ? undefined : (ownPlace(touched.path, places) ?? gitFile(part, touched, places));
    if (own !== undefined) return `${touched.path} is ${own}: only the user changes that.`;
  }
  return undefined;
}

const gitData = /(?:^|\/)\.git(?:$|\/(?:HEAD|index|packed-refs|(?:objects|refs|logs)\/.*)$)/i;

/** Without these a repository is none any more, or has lost something: they are Git’s to change. A lock is anybody’s to take away. */
function gitFile(
  { words: [first] }: JudgedPart,
  { path }: TouchedPath,
  { workspace }: FloorPlaces,
): string | undefined {
  const relative = inWorkspace(path, workspace) ?? '';
  const isData = gitData.test(relative) && !relative.endsWith('.lock');
  return isData && programName(first ?? '') !== 'git' ? 'Git’s own data' : undefined;
}

function secretAt(touched: TouchedPath, places: FloorPlaces): string | undefined {
  const { path } = touched;
  const whose = credentialAt(touched, places);
  if (whose !== undefined) return `${path} ${whose}. Do without it, or ask the user for what you need to know.`;
  if (places.environmentFiles === true || !isEnvironmentFile(path, places.workspace)) return undefined;
  return (
    `${inWorkspace(path, places.workspace)} holds the environment of this project, passwords and keys included. ` +
    'Work with its .example, or let the user set "files": {"env": "allow"} in their settings.'
  );
}

function deny(reason: string): Judgement {
  return { decision: 'deny', by: 'floor', reason };
}
