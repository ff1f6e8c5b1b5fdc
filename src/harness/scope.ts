/** The joint that holds a scope contract while a run works: what would change a path outside it is refused. */
import { isAbsolute, relative } from 'node:path';
import { isInScope, type PathScope } from '../core/index.ts';
import { realPathAsFar } from '../exec/index.ts';
import type { createPolicy } from '../safety/index.ts';

type Judge = ReturnType<typeof createPolicy>['judge'];
type Call = Parameters<Judge>[0];

/** The same judgement, but for changes outside the scope. A command whose paths nobody can tell is looked at when the run ends. */
export function withinScope(judge: Judge, scope: PathScope | undefined, workspace: string): Judge {
  if (scope === undefined) return judge;
  return (call) => {
    const judged = judge(call);
    if (judged.decision === 'deny') return judged;
    const path = changedPaths(call, workspace).find((each) => !isInScope(scope, each));
    if (path === undefined) return judged;
    const reason = `the scope of this run does not let ${path} be changed. Keep to what it allows, or say in your last words what would have to be done there.`;
    return { decision: 'deny', by: 'scope', reason };
  };
}

/** Inside the workspace, relative to it, by where they lead. */
function changedPaths({ effects: { resources, analysis } }: Call, workspace: string): string[] {
  const named = resources === 'unknown' ? [] : resources;
  const touched = [...named, ...(analysis?.parts ?? []).flatMap(({ paths }) => paths)];
  return touched.flatMap(({ access, path }) => {
    if (access === 'read' || !isAbsolute(path)) return [];
    const inside = relative(workspace, realPathAsFar(path));
    return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? [] : [inside];
  });
}
