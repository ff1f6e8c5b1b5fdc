/** The tools that every session has, and those that it has where they are possible and wanted. */
import type { EditFormat, PlanItem } from '../../core/index.ts';
import type { CommandAnalyser, Fetcher, Jobs, Mapper, Notes, Searcher, Shell } from '../needs.ts';
import type { Tool } from '../tool.ts';
import { askTool } from './ask/index.ts';
import { editLinesTool } from './edit-lines/index.ts';
import { editTool } from './edit/index.ts';
import { createFetchTool } from './fetch/index.ts';
import { createFindTool } from './find/index.ts';
import { createJobTool } from './job/index.ts';
import { createMapTool } from './map/index.ts';
import { createMemoryTool } from './memory/index.ts';
import { patchTool } from './patch/index.ts';
import { createPlanTool } from './plan/index.ts';
import { createReadTool } from './read/index.ts';
import { createSearchTool } from './search/index.ts';
import { createShellTool, shellEffects } from './shell/index.ts';
import { writeTool } from './write/index.ts';

export interface BuiltinNeeds {
  shell: Shell;
  /** Absent: what a command would do is never told. */
  analyser?: CommandAnalyser;
  /** Absent: no command goes on in the background. */
  jobs?: Jobs;
  searcher?: Searcher;
  /** Absent: the user has granted no host. */
  fetcher?: Fetcher;
  /** Absent: no notes outlive the session. */
  memory?: Notes;
  /** `isTold`: the model is offered it; else it is understood all the same. */
  map?: { mapper: Mapper; isTold: boolean };
  /** The model's task list as the session has it. */
  plan?: () => readonly PlanItem[] | undefined;
  /** How the model edits; exact replacement when left out. */
  edits?: EditFormat;
}

/** How a part of a file is changed, by the format of the model. A whole file can be written in each of them. */
const editing: { readonly [F in EditFormat]: Tool | undefined } = {
  replace: editTool,
  patch: patchTool,
  tagged: editLinesTool,
  whole: undefined,
};

export { shellEffects };

export function builtinTools(needs: BuiltinNeeds): Tool[] {
  const { shell, jobs, searcher, fetcher, plan, memory, map, edits = 'replace' } = needs;
  const always = [
    createReadTool({ tags: edits === 'tagged', images: true }),
    writeTool,
    ...(editing[edits] === undefined ? [] : [editing[edits]]),
    createShellTool(shell, needs.analyser),
    ...(jobs === undefined ? [] : [createJobTool(jobs)]),
    ...(searcher === undefined ? [] : [createSearchTool(searcher), createFindTool(searcher)]),
    ...(plan === undefined ? [] : [createPlanTool(plan)]),
    ...(memory === undefined ? [] : [createMemoryTool(memory)]),
    askTool,
  ];
  const told = always.map((tool): Tool => ({ ...tool, deferral: 'never' }));
  return [
    ...told,
    ...(map === undefined ? [] : [createMapTool(map.mapper, map.isTold ? 'never' : 'untold')]),
    ...otherEditing(edits),
    ...(fetcher === undefined ? [] : [createFetchTool(fetcher)]),
  ];
}

/** A model that edits in another way out of habit, or because another one has edited so before it, is understood. */
function otherEditing(edits: EditFormat): Tool[] {
  const others = Object.values(editing).filter((tool) => tool !== undefined && tool !== editing[edits]);
  return others.flatMap((tool): Tool[] => (tool === undefined ? [] : [{ ...tool, deferral: 'untold' }]));
}
