/** The joint for what is sent next: of a session, read without its lock, or of a fresh start in a folder. Nothing is recorded or sent. */
import { realpathSync } from 'node:fs';
import { placesOf, type LoadedSettings } from '../../config/index.ts';
import {
  assumedBytesPerToken,
  estimatedInput,
  foldAll,
  imagesIn,
  messagesOf,
  offeredOutput,
  openCalls,
  ReinsError,
  routed,
  sourceOf,
  targetName,
  View,
  windowOf,
  type Message,
  type Route,
  type SetupData,
  type Target,
  type ToolSpec,
} from '../../core/index.ts';
import { loadWire, vendorNamed, type LeftOut } from '../../model/index.ts';
import { Blobs, pathOf, readLog, scan, sessionFolder } from '../../session/index.ts';
import { secretsFor } from '../secrets.ts';
import { toolSetFor } from '../tools.ts';
import {
  chooseByKeys,
  configuredModel,
  defaultProvider,
  entryOf,
  Keys,
  replay,
  replayPrefix,
  routesOf,
  targetOf,
} from '../models/index.ts';
import { instructionReport, type InstructionReport } from './instruction-report.ts';
import { requestLayers, type ContextLayer, type LayeredOrder } from './context-layers.ts';
import { prepareHands } from '../hands.ts';
import { planPlace } from '../plan-file.ts';
import { sessionId } from '../reader.ts';
import { settingsFor } from '../settings.ts';
import { standingOf } from '../standing.ts';
import type { SessionOptions } from '../types.ts';
import { version } from '../version.ts';

/** How tokens are estimated: by what the last reply reported, by what earlier ones taught, or by an assumption. */
export interface TokenEstimate {
  by: 'reported' | 'calibrated' | 'assumed';
  bytesPerToken: number;
}

/** The next request. Tokens are estimates, bytes exact. */
export interface ContextReport {
  /** Absent for a fresh start. */
  session?: string;
  workspace: string;
  /** `provider/model`. */
  model: string;
  wire: string;
  estimate: TokenEstimate;
  layers: ContextLayer[];
  total: { bytes: number; tokens: number };
  /** Tokens: the whole window, what is kept for the reply, and what is left then. */
  window: number;
  reserved: number;
  left: number;
  /** Instruction files in force, and those that were left out. */
  instructions: InstructionReport;
  /** Tools that this provider can't be offered. */
  leftOut: LeftOut[];
  /** What a person should know of these figures. */
  notes: string[];
}

/** What the next request of a session would be. Rejects with `session-missing`, and `usage-arguments` before its first run. */
export async function sessionContext(
  env: SessionOptions['env'],
  which: string | { latest: string },
): Promise<ContextReport> {
  const id = sessionId(env, which);
  const folder = sessionFolder(placesOf(env).state, id);
  const path = pathOf(scan(folder));
  const view = foldAll(readLog(folder), path);
  const { setup } = view;
  if (setup === undefined)
    throw new ReinsError('usage-arguments', `Session ${id} has not begun: it sends nothing yet.`);
  const open = openCalls(view.transcript).length;
  const notes = [
    ...(open === 0 ? [] : [`The results of open calls (${open}) are still to come.`]),
    ...compactionNotes(view),
  ];
  const place = { session: id, workspace: view.session?.workspace ?? '' };
  const instructions = await instructionReport(view, readLog(folder), path);
  const image = await imagesOf(messagesOf(view), new Blobs(folder));
  return report({ place, view, setup, image, notes, instructions });
}

/** What is not in the request although it was said. */
function compactionNotes({ transcript: { gist, calls } }: View): string[] {
  const elided = [...calls.values()].filter((call) => call.elided !== undefined).length;
  const summary = gist?.summary === undefined ? 'a list of their files' : 'a summary';
  return [
    ...(gist === undefined
      ? []
      : [`Older turns have given way to ${summary}; ${gist.kept.length} texts of them stay word for word.`]),
    ...(elided === 0 ? [] : [`Results shown as a note of their size: ${elided}.`]),
  ];
}

async function imagesOf(messages: readonly Message[], blobs: Blobs): Promise<LayeredOrder['image']> {
  const data = new Map<string, string>();
  for (const { blob } of messages.flatMap(imagesIn)) {
    const bytes = data.has(blob) ? undefined : await blobs.get(blob).catch(() => undefined); // A lost one becomes a note.
    if (bytes !== undefined) data.set(blob, bytes.toString('base64'));
  }
  return (blob) => data.get(blob);
}

type FreshStart = Pick<SessionOptions, 'workspace' | 'env' | 'settings'>;

/**
 * What the first request of a run in this folder would be, without its task and as if every key were there. Rejects as a run does
 * for settings that can't be used.
 */
export async function freshContext(options: FreshStart): Promise<ContextReport> {
  const loaded = await settingsFor(options);
  const workspace = realpathSync(options.workspace);
  const { target, routes, notes } = await modelsFor(options, loaded);
  const secrets = secretsFor(options, loaded, workspace);
  const hands = await prepareHands(loaded, workspace, options.env, secrets);
  try {
    const { mode, limits, retries } = loaded.settings;
    const tools = toolsOf(options, { loaded, hands, models: { target, routes }, workspace });
    const view = new View();
    const appended = options.settings?.appendPrompt;
    const planFile = planPlace(loaded, tools, '')?.name;
    const told = await standingOf({
      loaded,
      workspace,
      hands,
      target,
      secrets,
      appended,
      planFile,
      view,
      env: options.env,
    });
    const { notices: _, news: __, ...standing } = told;
    const setup = { reins: version, ...target, ...standing, tools, mode, limits, retries, checks: [], routes };
    view.setup = setup;
    const instructions = await instructionReport(view);
    return await report({ place: { workspace }, view, setup, image: () => undefined, notes, instructions });
  } finally {
    await hands.sandbox.close();
  }
}

interface Models {
  target: Target;
  routes: Route[];
  notes: string[];
}

/** A rehearsal is asked over the same wire as the default provider. */
const scriptPrefix = 'script:';

async function modelsFor(options: FreshStart, loaded: LoadedSettings): Promise<Models> {
  const configured = configuredModel(loaded);
  if (configured?.startsWith(replayPrefix)) return { ...(await replay(configured, options, loaded)), notes: [] };
  if (configured?.startsWith(scriptPrefix)) {
    return { target: { ...targetOf(loaded, entryOf(loaded, 'rehearsed')), provider: 'script' }, routes: [], notes: [] };
  }
  const choice = configured === undefined ? chosen(options, loaded) : { name: configured, notes: [] };
  const entry = entryOf(loaded, choice.name);
  return { target: targetOf(loaded, entry), routes: routesOf(loaded, entry), notes: choice.notes };
}

/** By the keys that are there, as a run chooses; else the default, so that there is something to show. */
function chosen({ env }: FreshStart, loaded: LoadedSettings): { name: string; notes: string[] } {
  const choice = chooseByKeys(loaded, new Keys(env));
  if (choice !== undefined) return { name: choice.name, notes: [choice.notice.text] };
  const name = `${defaultProvider}/${vendorNamed(defaultProvider)?.defaultModel ?? ''}`;
  return { name, notes: [`No model is configured and no key is there: this is what ${name} would be sent.`] };
}

function toolsOf(options: FreshStart, parts: Omit<Parameters<typeof toolSetFor>[0], 'options'>): ToolSpec[] {
  const open = (): never => {
    throw new ReinsError('defect', 'A report runs no command.');
  };
  const shell = parts.hands.shell({ blobs: { open }, used: 0 });
  const nothing = { plan: () => undefined, said: () => [], seen: () => [] };
  return toolSetFor({ options, ...parts }, shell, nothing).specs;
}

interface ReportParts {
  place: { session?: string; workspace: string };
  view: View;
  setup: SetupData;
  image: LayeredOrder['image'];
  notes: string[];
  instructions: InstructionReport;
}

async function report({ place, view, setup, image, notes, instructions }: ReportParts): Promise<ContextReport> {
  const target = routed(view)?.target ?? setup;
  const tokens = estimatedInput(view, target);
  const maxOutput = offeredOutput(view, target);
  const cacheKey = place.session ?? place.workspace;
  const order = { setup, target, messages: messagesOf(view, sourceOf(target)), maxOutput, image, cacheKey };
  const { layers, bytes, leftOut } = requestLayers(await loadWire(target.wire), order, tokens);
  return {
    ...place,
    model: targetName(target),
    wire: target.wire,
    estimate: estimateOf(view, target),
    layers,
    total: { bytes, tokens },
    window: windowOf(view, target),
    reserved: maxOutput,
    left: windowOf(view, target) - tokens - maxOutput,
    instructions,
    leftOut,
    notes,
  };
}

function estimateOf(view: View, target: Target): TokenEstimate {
  const name = targetName(target);
  const { reported } = view.transcript;
  const bytesPerToken = view.bytesPerToken.get(name) ?? assumedBytesPerToken;
  if (reported !== undefined && targetName(reported.source) === name) return { by: 'reported', bytesPerToken };
  return { by: view.bytesPerToken.has(name) ? 'calibrated' : 'assumed', bytesPerToken };
}
