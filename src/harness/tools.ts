/** The joint between tools and what they need: the hands, the model's ways, the user's grants. */
import type { LoadedSettings } from '../config/index.ts';
import type { Draft, EditFormat, PlanItem, ToolSpec } from '../core/index.ts';
import { createFetcher, createSearcher, type Shell } from '../exec/index.ts';
import type { Analyser, Redactor } from '../safety/index.ts';
import { proxyChoice } from '../model/index.ts';
import { builtinTools, createRegistry, toolSet, type Registry, type Tool } from '../tools/index.ts';
import { analyserFor } from './commands.ts';
import type { Hands } from './hands.ts';
import { keptCommands } from './jobs.ts';
import { proxyOf, type Provider } from './models/index.ts';
import { mapperFor, type MapFocus } from './map/index.ts';
import { memoryFor } from './memory/index.ts';
import type { OpenRecord } from './record.ts';
import { deniedTools } from './rules.ts';
import { chosenTools, takesPart } from './tool-choice.ts';
import type { SessionOptions } from './types.ts';
import { version } from './version.ts';

export interface Tools {
  registry: Registry;
  /** What the model is told of them. */
  specs: ToolSpec[];
  shell: Shell;
  analyser: Analyser;
}

interface ToolParts {
  options: Pick<SessionOptions, 'env' | 'builtinTools' | 'tools' | 'replaceTools'>;
  loaded: LoadedSettings;
  hands: Hands;
  /** Whom a run may ask. */
  models: Pick<Provider, 'target' | 'routes'>;
  /** The real path of the workspace. */
  workspace: string;
}

interface RunParts extends ToolParts {
  secrets: Pick<Redactor, 'bytes' | 'origin'>;
}

/** Throws `usage-arguments` for tools of the caller that can't be used. */
export async function toolsFor(parts: RunParts, record: OpenRecord): Promise<Tools> {
  const shell = await shellFor(parts, record);
  const analyser = analyserFor({ workspace: parts.workspace, environment: parts.hands.environment });
  const far: SoFar = {
    plan: () => record.view.plan?.items,
    said: () => record.view.ledger.task.said,
    seen: () => record.known.seen.keys(),
  };
  return { ...toolSetFor(parts, shell, far, analyser), shell, analyser };
}

/** What the session has so far, as far as tools are about it. */
export interface SoFar extends MapFocus {
  /** The model's task list. */
  plan: () => PlanItem[] | undefined;
}

/** The tools themselves: the same for the same settings, whether they are used or only told of. */
export function toolSetFor(
  parts: ToolParts,
  shell: Shell,
  far: SoFar,
  analyser?: Analyser,
): Pick<Tools, 'registry' | 'specs'> {
  const { options, models } = parts;
  const { target, routes } = models;
  const builtin = options.builtinTools === false ? [] : builtinFor(parts, shell, far, analyser);
  const denied = deniedTools(parts.loaded);
  const given = chosenTools([...builtin, ...(options.tools ?? [])], parts.loaded).map((tool) =>
    denied.includes(tool.name) ? untold(tool) : tool,
  );
  const replace = (options.replaceTools ?? []).filter((name) => takesPart(parts.loaded, name));
  const all = createRegistry(given, { replace });
  // A route may find them by itself: to the others they are not sent.
  const ownDeferral = [target, ...routes].some(({ abilities }) => abilities.toolSearch === true);
  const window = Math.min(...[target, ...routes].map((each) => each.window));
  return toolSet(all, { window, ownDeferral });
}

/** The list is fixed here: what no call may do needn’t be told of, and a call of it gets its denial. */
function untold(tool: Tool): Tool {
  return { ...tool, deferral: 'untold' };
}

/** Background commands are in the log as they begin and end, and a person can end them through it. */
async function shellFor({ options, loaded, hands, workspace, secrets }: RunParts, record: OpenRecord): Promise<Shell> {
  const { session, recorder, view } = record;
  // A log that can't be written stops the run by itself.
  const note = (draft: Draft): void => void recorder.record(draft).catch(() => undefined);
  const shell = hands.shell({
    blobs: { open: () => session.blobs.writer() },
    filter: () => secrets.bytes(),
    used: await session.blobs.size(),
    earlierJobs: view.ledger.jobs,
    kept: keptCommands(options.env, loaded, hands, workspace, secrets, (data) => note({ kind: 'job', data })),
    onJob: ({ id, call = '', command, kept }) => note({ kind: 'job', data: { id, call, command, kept } }),
    onJobEnd: ({ id, how, exit, signal }) => {
      note({ kind: 'job-end', data: { id, how, exit, ...(signal !== undefined && { signal }) } });
    },
    onConnection: (data) => note({ kind: 'connection', data }),
  });
  recorder.listen((event) => {
    if (event.kind === 'job-end' && event.data.message !== undefined) void shell.jobs.end(event.data.id);
  });
  return shell;
}

function builtinFor(
  { options, loaded, hands, models, workspace }: ToolParts,
  shell: Shell,
  far: SoFar,
  analyser: Analyser | undefined,
): Tool[] {
  const { settings } = loaded;
  const fetcher = fetcherFor(options, loaded);
  const { environment, secrets } = hands;
  const mapPlace = { loaded, workspace, env: options.env, environment, secrets };
  return builtinTools({
    shell,
    ...(analyser !== undefined && { analyser }),
    jobs: shell.jobs,
    searcher: createSearcher({ workspace, environment, hide: () => secrets.bytes() }),
    plan: far.plan,
    map: { mapper: mapperFor(mapPlace, far), isTold: settings.map.tool },
    ...(settings.memory.enabled && { memory: memoryFor(options.env, loaded, workspace, secrets) }),
    edits: formatOf(settings.edits, models),
    ...(fetcher !== undefined && { fetcher }),
  });
}

function formatOf(wanted: LoadedSettings['settings']['edits'], { target }: ToolParts['models']): EditFormat {
  return wanted === 'model' ? target.abilities.edits : wanted;
}

function fetcherFor(options: ToolParts['options'], { settings }: LoadedSettings) {
  const { fetch: hosts } = settings;
  if (hosts.length === 0) return undefined;
  return createFetcher({
    hosts: hosts.includes('*') ? 'any' : hosts,
    userAgent: `reins/${version}`,
    proxyFor: proxyChoice(proxyOf(options, settings)),
  });
}
