/** The joint that rehearses a past session: its scenario out of the log, a fresh copy of its workspace, today's prompt, rules, tools and hooks. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandEnvironment, placesOf } from '../../config/index.ts';
import { ReinsError, targetName } from '../../core/index.ts';
import { loadCassettes, type Surroundings } from '../../model/index.ts';
import { isLocked, sessionFolder } from '../../session/index.ts';
import { sessionId } from '../reader.ts';
import { surroundingsOf } from '../models/index.ts';
import { compareWork, type RehearsalComparison, type Sides } from './rehearsal-report.ts';
import { play, type Played } from './rehearsal-run.ts';
import { scenarioOf, type MapText } from './rehearsal-script.ts';
import { copyWorkspace, type WorkspaceCopy } from './rehearsal-workspace.ts';
import { readWork, type Work } from './rehearsal-work.ts';
import type { RunSettings, SessionOptions } from '../types.ts';

export interface RehearseOptions {
  /** The id of the session, a unique beginning of it, or the latest of a workspace. */
  session: string | { latest: string };
  /** Environment variables; the process's own by default. */
  env?: SessionOptions['env'];
  /** What goes before what was recorded. */
  settings?: Pick<RunSettings, 'mode' | 'checks' | 'allow' | 'deny'>;
  /** What an embedder's sessions have besides; as for `createSession`. */
  parts?: Pick<SessionOptions, 'tools' | 'hooks' | 'rules' | 'builtinTools' | 'onEvent'>;
  /** Keep the copy, the session that was made and the scenario. */
  keep?: boolean;
  signal?: AbortSignal;
}

export interface Rehearsal extends RehearsalComparison {
  /** The session that was rehearsed. */
  session: string;
  workspace: string;
  /** `provider/model` of its first setup. */
  model: string;
  /** The commit that the copy was made from; null where there was none. */
  commit: string | null;
  /** What a person should know of how true the rehearsal is. */
  notes: string[];
  /** With `keep`: the folder with everything, and what is in it. */
  kept?: { folder: string; workspace: string; scenario: string; session?: string };
}

/**
 * Plays a session again in a copy of its workspace and compares. The session and its workspace are only read; no model is asked.
 * Rejects with `session-missing`, `workspace-missing`, `rehearsal-impossible`, and as `createSession` does.
 */
export async function rehearseSession(options: RehearseOptions): Promise<Rehearsal> {
  const { env, keep = false } = options;
  const id = sessionId(env, options.session);
  const folder = sessionFolder(placesOf(env).state, id);
  const work = readWork(folder);
  refuseEmpty(id, work);
  const ground = await realpath(await mkdtemp(join(tmpdir(), 'reins-rehearsal-')));
  let isKept = false;
  try {
    const into = join(ground, 'workspace');
    await mkdir(into);
    const environment = commandEnvironment(env);
    const found = work.openings[0]?.found;
    const copy = await copyWorkspace({ workspace: work.workspace, found, into, environment });
    const rehearsal = await rehearseIn(options, { id, folder, work, ground, copy });
    isKept = keep;
    return rehearsal;
  } finally {
    if (!isKept) await rm(ground, { recursive: true, force: true, maxRetries: 3 });
  }
}

function refuseEmpty(id: string, { openings, workspace }: Work): void {
  const lacks = (what: string) => new ReinsError('rehearsal-impossible', `Session ${id} has no ${what}.`);
  if (workspace === '') throw lacks('readable first line, which names its workspace');
  if (openings.length === 0) throw lacks('setup');
  if (openings.every(({ drives }) => drives.every(({ replies }) => replies.length === 0)))
    throw lacks('reply of a model');
}

interface Ground {
  id: string;
  folder: string;
  work: Work;
  /** The temporary folder that holds everything. */
  ground: string;
  copy: WorkspaceCopy;
}

async function rehearseIn(options: RehearseOptions, { id, folder, work, ground, copy }: Ground): Promise<Rehearsal> {
  const { env, settings = {}, parts = {}, signal, keep } = options;
  const ownEnv = { ...commandEnvironment(env), XDG_STATE_HOME: join(ground, 'state') };
  const map = await mapper(work.workspace, copy.path);
  const played = await play({
    work,
    folder,
    workspace: copy.path,
    env,
    ownEnv,
    map,
    settings,
    parts,
    ...(signal !== undefined && { signal }),
  });
  signal?.throwIfAborted();
  const again = played.session === undefined ? emptyWork : readWork(played.session.folder);
  const recorded = { ...surroundingsOf({ env, workspace: copy.path }, id), workspace: work.workspace };
  const present = surroundingsOf({ env, workspace: copy.path }, played.session?.id ?? '');
  const normalise = { recorded: await normaliserFor(recorded), now: await normaliserFor(present) };
  const unmapped = await mapper(copy.path, work.workspace);
  const sides: Sides = { recorded: work, now: again, normalise, copy: copy.path, unmapped };
  const [first] = work.openings;
  return {
    session: id,
    workspace: work.workspace,
    model: first === undefined ? '' : targetName(first.setup),
    commit: copy.commit,
    notes: [...copy.notes, ...notesOf(work, played), ...runningNotes(folder)],
    ...compareWork(sides),
    ...(keep === true && { kept: await keepAll(id, work, ground, copy, played) }),
  };
}

const emptyWork: Work = {
  workspace: '',
  openings: [],
  calls: new Map(),
  reviews: new Map(),
  evidence: [],
  changed: new Map(),
  damaged: 0,
  branched: false,
  unended: 0,
};

/** Texts of one folder become those of another. */
async function mapper(from: string, to: string): Promise<MapText> {
  const { edited, placesEditor } = await loadCassettes();
  const editor = placesEditor({ workspace: from }, { workspace: to });
  return (text) => edited(text, editor(text));
}

/** Each text by itself: ids are numbered within it. */
async function normaliserFor(surroundings: Surroundings): Promise<(text: string) => string> {
  const { createNormaliser } = await loadCassettes();
  return (text) => createNormaliser(surroundings).text(text, { durations: true });
}

function notesOf(work: Work, { notes, surplus }: Played): string[] {
  const { damaged, branched, unended, openings } = work;
  const isUnsafe = openings.some(({ setup }) => setup.mode === 'unsafe');
  return [
    ...notes,
    ...(surplus > 0 ? ['The rehearsal asked for more replies than were recorded.'] : []),
    ...(damaged > 0 ? [`Lines of the log can’t be read (${damaged}); what they held isn’t played.`] : []),
    ...(branched ? ['The head of the session was moved: what branches that were left did to files isn’t played.'] : []),
    ...(unended > 0 ? ['A run ended without a stop (killed, or waiting for somebody); here it goes on.'] : []),
    ...(isUnsafe
      ? [
          'The session ran in mode unsafe; here its commands run in mode auto, inside the sandbox, unless --mode says otherwise.',
        ]
      : []),
  ];
}

function runningNotes(folder: string): string[] {
  return isLocked(folder) ? ['The session is being driven right now: what it had done by then was played.'] : [];
}

async function keepAll(
  id: string,
  work: Work,
  ground: string,
  copy: WorkspaceCopy,
  { session }: Played,
): Promise<NonNullable<Rehearsal['kept']>> {
  const scenario = join(ground, 'scenario.json');
  const { edited, placesEditor } = await loadCassettes();
  const editor = placesEditor({ workspace: work.workspace }, { workspace: '${workspace}' });
  const map: MapText = (text) => {
    const escaped = text.replaceAll('${workspace}', '$${workspace}');
    return edited(escaped, editor(escaped));
  };
  const drives = work.openings.flatMap((opening) => opening.drives);
  const text = JSON.stringify(scenarioOf(drives, `Session ${id}`, map), undefined, 2);
  await writeFile(scenario, `${text}\n`, { mode: 0o600 });
  return { folder: ground, workspace: copy.path, scenario, ...(session !== undefined && { session: session.id }) };
}
