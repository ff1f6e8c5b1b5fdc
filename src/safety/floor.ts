/** The floor: what no mode, rule, grant or hook lifts. Short, so that it can be known by heart. */
import { disasterOf } from './disasters.ts';
import type { JudgedCall, Judgement } from './needs.ts';
import { inWorkspace, isPath, isProtected } from './paths.ts';

const usable = 'File tools work on files of the workspace, by real paths, and write nothing in .git and .reins.';

/** The refusal of a call that goes below the floor, or nothing. */
export function judgeByFloor({ effects }: JudgedCall, workspace: string): Judgement | undefined {
  if (effects.refused !== undefined) return deny(`${effects.refused}. ${usable}`);
  const paths = effects.resources === 'unknown' ? [] : effects.resources.filter(isPath);
  for (const { access, path } of paths) {
    const relative = inWorkspace(path, workspace);
    if (relative === undefined) return deny(`${path} is outside the workspace. ${usable}`);
    if (access === 'write' && isProtected(relative)) {
      return deny(`${relative} belongs to Git or Reins. ${usable}`);
    }
  }
  const disaster = effects.command === undefined ? undefined : disasterOf(effects.command);
  return disaster === undefined ? undefined : deny(`the command means ${disaster}. Name just what is to go.`);
}

function deny(reason: string): Judgement {
  return { decision: 'deny', by: 'floor', reason };
}
