/** Opens a session: settings, model, hands, record, tools and rules put together. The composition root. */
import { realpathSync } from 'node:fs';
import { placesOf, type LoadedSettings } from '../config/index.ts';
import { ReinsError, type EventData, type Loop, type Model, type SetupData, type Summariser } from '../core/index.ts';
import { previousBody } from '../session/index.ts';
import type { Redactor } from '../safety/index.ts';
import { approvalFor } from './approval.ts';
import { systemClock } from './clock.ts';
import { withinMinutes } from './deadline.ts';
import { prepareHands, type Hands } from './hands.ts';
import { egressNotice } from './egress.ts';
import {
  findProvider,
  type FindOptions,
  goingOn,
  refuseUnknownSpending,
  switchNotices,
  type Provider,
} from './models/index.ts';
import { acceptedNote, carriedOn, inPlannedMode, planPlace, reviewedPlan, type PlanPlace } from './plan-file.ts';
import { loopRules } from './profiles.ts';
import { cleanAfterKill, damageNotices, letGo, openRecord, resumedId, type OpenRecord } from './record.ts';
import { strangeShapes } from './rules.ts';
import { DrivenSession } from './session.ts';
import { settingsFor } from './settings.ts';
import { proofFor } from './proof.ts';
import { setupOf } from './setup.ts';
import { admission, refuseSecrets } from './admission.ts';
import { secretsFor } from './secrets.ts';
import { standingOf, type Standing } from './standing.ts';
import { Watched } from './watching.ts';
import { callsFor, grantNotices } from './calls.ts';
import { sessionCheckpoints, storeFor, type SessionCheckpoints } from './checkpoints.ts';
import { diagnosticsFor } from './diagnostics.ts';
import { takesPart } from './tool-choice.ts';
import { toolsFor } from './tools.ts';
import type { Session, SessionOptions } from './types.ts';
import { whileAnswering } from './while-answering.ts';

/**
 * Makes a session in the workspace, or takes one up again, ready to be driven. Rejects with errors of class `usage` for what the
 * caller can mend (settings, model, key, mode, workspace, session) and of class `storage` for the state folder.
 */
export async function createSession(options: SessionOptions): Promise<Session> {
  return openWith(options, findProvider);
}

/** The same with models from elsewhere, and with the setup changed before it is recorded. */
export async function openWith(
  options: SessionOptions,
  find: (options: FindOptions, loaded: LoadedSettings) => Promise<Provider>,
  adjust: (setup: SetupData) => SetupData = (setup) => setup,
): Promise<Session> {
  refuseOldNode();
  const asked = await settingsFor(options);
  const workspace = realpathSync(options.workspace);
  const { state } = placesOf(options.env);
  const resumed = resumedId(state, options, workspace);
  const secrets = secretsFor(options, asked, workspace);
  const admit = admission(secrets);
  const undo: (() => Promise<void>)[] = [];
  try {
    // The sandbox is tried out in a process of its own; the rest needn't wait for that. Its failure is thrown where it is awaited.
    const trying = prepareHands(asked, workspace, options.env, secrets);
    const tried = trying.catch(() => undefined);
    undo.push(async () => (await tried)?.sandbox.close());
    // A session that goes on says which model and mode it had; a new one isn't made before its model is found.
    const earlier = resumed === undefined ? undefined : await openRecord(state, resumed, workspace, admit);
    if (earlier !== undefined) undo.push(() => letGo(earlier));
    const loaded = inPlannedMode(asked, earlier?.view);
    const provider = await find(
      { ...options, onKey: (value) => secrets.learn([{ name: 'key', value }]) },
      goingOn(loaded, earlier?.view.setup),
    );
    undo.push(() => provider.close());
    // Refused only when it is said, it would leave an empty session behind.
    refuseSecrets(options.task ?? '', secrets);
    if (earlier !== undefined) refuseUnknownSpending(loaded, earlier.view);
    const record = earlier ?? (await openRecord(state, undefined, workspace, admit));
    if (earlier === undefined) undo.push(() => letGo(record));
    const hands = loaded === asked ? await trying : await prepareHands(loaded, workspace, options.env, secrets);
    if (loaded !== asked) void tried.then((unneeded) => unneeded?.sandbox.close());
    await cleanAfterKill(record, hands.files);
    return await assemble({ options, loaded, workspace, provider, hands, record, secrets }, adjust);
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    throw error;
  }
}

/** An older Node lacks what the record needs; better said here than by a crash in the middle. */
function refuseOldNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  throw new ReinsError('platform-unsupported', `Node ${process.versions.node} is too old: 22.19 or newer is needed.`);
}

interface Parts {
  options: SessionOptions;
  loaded: LoadedSettings;
  /** The real path of the workspace. */
  workspace: string;
  provider: Provider;
  hands: Hands;
  record: OpenRecord;
  secrets: Redactor;
}

async function assemble(parts: Parts, adjust: (setup: SetupData) => SetupData): Promise<Session> {
  const { options, loaded, workspace, provider, hands, record, secrets } = parts;
  const { session, recorder } = record;
  const tools = await toolsFor({ options, loaded, hands, models: provider, workspace, secrets }, record);
  const { shell } = tools;
  const checkpoints = checkpointsFor(parts);
  const diagnostics = diagnosticsFor(loaded, hands, shell, workspace);
  const approval = await approvalFor(options.approver, loaded, provider, record);
  const plan = planPlace(loaded, tools.specs, realpathSync(session.folder));
  const handy = { hands, record, tools, checkpoints, diagnostics, approval, workspace, secrets, plan };
  const calls = callsFor(options, loaded, handy);
  const answering = whileAnswering(connect(parts), () => {
    if (mayRunCommands(parts)) {
      void shell.prepare(); // What fails here is said by the command.
      void tools.analyser.prepare();
    }
    calls.warm().catch(() => undefined); // And this by the call.
    if (mayChangeFiles(parts)) void checkpoints?.warm();
  });
  const { notices: told, news, ...standing } = await standingFor(parts, plan?.name);
  const watched = new Watched(secrets, options.onNotification ?? (() => undefined));
  recorder.listen(watched.ended);
  const proof = proofFor(parts, shell, checkpoints);
  const work = { model: answering, calls, summariser: summariserOf(parts), ...proof };
  const loop: Loop = {
    ports: { log: session, clock: systemClock, ...withinMinutes(work, recorder.view, systemClock) },
    recorder,
    rules: options.rules ?? loopRules(loaded),
    notify: watched.notify,
    ...(news !== undefined && { news }),
    ...(plan !== undefined && { readPlan: planReader(plan, parts) }),
  };
  const notices = [...noticesOf(parts), ...strangeShapes(loaded, tools.registry.names()), ...told];
  const planFile = plan?.name;
  const asked = options.settings;
  const setup = setupOf({ loaded, provider, workspace, tools: tools.specs, standing, planFile, asked });
  const close = async (): Promise<void> => {
    await shell.close();
    await Promise.all([checkpoints?.close(), diagnostics.close(), tools.analyser.close()]);
    await hands.sandbox.close();
    await provider.close();
  };
  const shared = { loop, record, hands, provider, secrets, approval, workspace, notices, options, close };
  const driven = new DrivenSession(shared);
  await driven.begin(adjust(carriedOn(setup, record.view)), acceptedNote(record.view, loaded));
  return driven;
}

async function standingFor(
  { options, loaded, workspace, hands, provider, record, secrets }: Parts,
  planFile: string | undefined,
): Promise<Standing> {
  const appended = options.settings?.appendPrompt;
  const { env, task } = options;
  const place = { loaded, workspace, hands, target: provider.target, view: record.view, secrets, env, task };
  const standing = await standingOf({ ...place, planFile, appended });
  // In a person's own words a secret isn't replaced.
  refuseSecrets(standing.system[standing.layers?.indexOf('appended') ?? -1] ?? '', secrets);
  return standing;
}

function planReader(plan: PlanPlace, { hands, secrets }: Parts): NonNullable<Loop['readPlan']> {
  return () => reviewedPlan(plan, { auto: hands.report.works, redact: (text) => secrets.redact(text) });
}

function connect({ provider, record: { session, recorder } }: Parts): Model {
  let isKnown = true;
  return provider.connect({
    clock: systemClock,
    cacheKey: session.id,
    // A log that can't be written stops the run by itself.
    notice: (data) => void recorder.record({ kind: 'notice', data }).catch(() => undefined),
    putBlob: (bytes) => session.blobs.put(bytes),
    getBlob: (blob) => session.blobs.get(blob).catch(() => undefined), // A lost blob is for the request to say.
    previousBody: async (id) => {
      const previous = await previousBody(session.folder, isKnown ? session.skeleton : undefined);
      // In a long log that is much to hold, and it is hardly ever asked again: then the log is gone through once more.
      session.forgetPlaces();
      isKnown = false;
      return previous?.id === id ? previous.body : undefined;
    },
  });
}

/** Most sessions never grow so long: what summarises is loaded when it is needed. */
function summariserOf({ provider, record }: Parts): Summariser {
  return {
    summarise: async (order, signal) => {
      const { summariserFor } = await import('./compaction/index.ts');
      return summariserFor(provider.aside, record).summarise(order, signal);
    },
  };
}

/** In mode plan nothing of the workspace changes. */
function checkpointsFor({ options, loaded, workspace, record }: Parts): SessionCheckpoints | undefined {
  const { checkpoints, mode } = loaded.settings;
  if (!checkpoints.enabled || mode === 'plan') return undefined;
  const open = () => storeFor(options.env, workspace, record.session.id, checkpoints);
  return sessionCheckpoints(open);
}

function mayChangeFiles({ options, loaded }: Parts): boolean {
  return loaded.settings.mode !== 'plan' && (options.builtinTools !== false || options.tools !== undefined);
}

/** A process that stands ready for a command which can't come would only have to be ended again. */
function mayRunCommands({ options, loaded: { settings } }: Parts): boolean {
  const hasShell = options.builtinTools !== false && takesPart({ settings }, 'shell');
  return hasShell || (settings.checks !== 'waived' && settings.checks.length > 0);
}

/** Profile and mode are never carried on by themselves, so what a session had before may be missed. */
function resumeNotices(
  earlier: SetupData | undefined,
  { settings: { mode }, profile, origins }: LoadedSettings,
): EventData['notice'][] {
  if (earlier === undefined) return [];
  const both = [
    { key: 'profile', before: earlier.runProfile?.name ?? 'default', now: profile.name },
    { key: 'mode', before: earlier.mode, now: mode },
  ];
  const other = both.filter(({ key, before, now }) => before !== now && origins[key]?.layer !== 'command-line');
  if (other.length === 0) return [];
  const had = other.map(({ key, before }) => `${key} ${before}`).join(' and ');
  const has = other.map(({ key, now }) => `${key} ${now}`).join(' and ');
  const options = other.map(({ key, before }) => `--${key} ${before}`).join(' ');
  const text = `The session had ${had} and goes on with ${has}; ${options} goes on as before.`;
  return [{ code: 'resumed-otherwise', level: 'info', text }];
}

function noticesOf({ options, loaded, workspace, provider, hands, record }: Parts): EventData['notice'][] {
  const notices = [...loaded.notices, ...grantNotices(options, workspace), ...damageNotices(record)];
  if (!hands.report.works && loaded.settings.mode !== 'unsafe') {
    const text = `Commands run without a sandbox: ${hands.report.reason ?? 'it does not work here'}`;
    notices.push({ code: 'sandbox-missing', level: 'warning', text });
  }
  if (hands.report.works && hands.report.sandbox === 'landlock') {
    const text = `Commands are held by Landlock, which hides and protects less than bubblewrap (reins doctor says what). ${hands.report.notes.at(-1) ?? ''}`;
    notices.push({ code: 'sandbox-weaker', level: 'info', text });
  }
  notices.push(...resumeNotices(record.view.setup, loaded));
  const egress = egressNotice(loaded, hands.report);
  if (egress !== undefined) notices.push(egress);
  notices.push(...switchNotices(record.view.setup, provider.target), ...provider.notices);
  return notices;
}
