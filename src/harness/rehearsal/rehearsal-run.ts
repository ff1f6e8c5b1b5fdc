/** The joint that plays a past session again: its replies from a model server, what came from outside in its places, all else as it is today. */
import { loadCassettes, createModel, createTransport, loadWire, type Link } from '../../model/index.ts';
import { isTrusted, loadGrants, loadSettings, saveGrant } from '../../config/index.ts';
import { ReinsError, type Approver, type Event, type SetupData, type Target } from '../../core/index.ts';
import { Blobs } from '../../session/index.ts';
import { startModelServer, type ModelServer, type StrictOptions, type StrictRule } from '../../testing/index.ts';
import { nobody } from '../approval.ts';
import { definitionOf } from '../setup.ts';
import { openWith } from '../open.ts';
import { noOther, type ModelParts } from '../models/index.ts';
import { loadCompaction } from '../../context/index.ts';
import { ReplyScript, type MapText } from './rehearsal-script.ts';
import { restore } from './rehearsal-workspace.ts';
import { Steps, type Arrival, type Drive, type Opening, type Work } from './rehearsal-work.ts';
import type { RunSettings, Session, SessionOptions } from '../types.ts';

type Variables = { readonly [name: string]: string | undefined };

export interface PlayOptions {
  work: Work;
  /** The folder of the recorded session: images of inputs are there. */
  folder: string;
  /** Real path of the copy. */
  workspace: string;
  /** The environment of the person, and the same with a state folder of its own. */
  env: Variables | undefined;
  ownEnv: Variables;
  map: MapText;
  /** What goes before what was recorded. */
  settings: Pick<RunSettings, 'mode' | 'checks' | 'allow' | 'deny'>;
  parts: Pick<SessionOptions, 'tools' | 'hooks' | 'rules' | 'builtinTools' | 'onEvent'>;
  signal?: AbortSignal;
}

export interface Played {
  /** The id and folder of the session that was made; undefined where nothing could be played. */
  session?: { id: string; folder: string };
  notes: string[];
  /** Requests for which there was no reply. */
  surplus: number;
}

/** Plays every opening after the other. Rejects as `createSession` does. */
export async function play(options: PlayOptions): Promise<Played> {
  const { summaryPrompt } = await loadCompaction();
  const script = new ReplyScript(options.map, summaryPrompt.text);
  const strict = strictnessOf(options.work);
  const server = await startModelServer(script.handler, { record: false, strict });
  try {
    return await new Rehearsing(options, script, server).run();
  } finally {
    await server.close();
  }
}

/** What the server would refuse of what a real provider took: by its own count of tokens, and proofs and keys that it doesn’t know. */
function strictnessOf({ openings }: Work): StrictOptions {
  const parts = openings.flatMap(({ drives }) =>
    drives.flatMap(({ replies }) => replies.flatMap((reply) => reply.parts)),
  );
  const isForeign = parts.some(({ type }) => type === 'opaque');
  const hasKeys = openings.some(({ setup }) => setup.settings.body !== undefined);
  const except: StrictRule[] = ['window'];
  if (isForeign) except.push('signatures');
  if (hasKeys) except.push('keys');
  return { except, systemMessages: openings.some(({ setup }) => setup.abilities.systemMessages) };
}

type Files = NonNullable<Opening['found']>['files'];

class Rehearsing {
  readonly #options: PlayOptions;
  readonly #script: ReplyScript;
  readonly #server: ModelServer;
  readonly #steps = new Steps();
  readonly #notes: string[] = [];
  /** What still has to come in this drive. */
  #waiting: Arrival[] = [];
  #session: Session | undefined;
  readonly #said: Promise<void>[] = [];

  constructor(options: PlayOptions, script: ReplyScript, server: ModelServer) {
    this.#options = options;
    this.#script = script;
    this.#server = server;
  }

  async run(): Promise<Played> {
    this.#carryGrants();
    const trust = await this.#isTrusted();
    let made: Played['session'];
    let before: Opening | undefined;
    for (const opening of this.#options.work.openings) {
      await this.#between(before, opening);
      before = opening;
      const drives = opening.drives.filter(
        ({ inputs, replies, arrivals }) => inputs.length + replies.length + arrivals.length > 0,
      );
      if (drives.length === 0 || this.#options.signal?.aborted === true) continue;
      const session = await this.#open(opening, made?.id, trust);
      made = { id: session.id, folder: session.folder };
      try {
        for (const drive of drives) await this.#drive(session, drive);
      } finally {
        this.#session = undefined;
        await session.close();
      }
    }
    return { ...(made !== undefined && { session: made }), notes: this.#notes, surplus: this.#script.surplus };
  }

  /** What others did to files between two runs is done again, as far as the files can be had. */
  async #between(before: Opening | undefined, { found }: Opening): Promise<void> {
    const left = before?.left;
    if (left === undefined || found === undefined) return;
    const { work, workspace } = this.#options;
    if (left.commit !== found.commit) {
      this.#notes.push(
        `Between two runs the commit changed from ${left.commit} to ${found.commit}; that isn’t played.`,
      );
      return;
    }
    const paths = new Set([...Object.keys(left.files), ...Object.keys(found.files)]);
    const hash = (files: Files, path: string) => (Object.hasOwn(files, path) ? files[path] : undefined);
    const others = [...paths].filter(
      (path) => hash(left.files, path) !== hash(found.files, path) && !work.changed.has(path),
    );
    const known = others.filter((path) => Object.hasOwn(found.files, path));
    const files = Object.fromEntries(known.map((path) => [path, found.files[path] ?? null]));
    await restore(work.workspace, workspace, files, this.#notes);
    const undone = others.filter((path) => !known.includes(path));
    if (undone.length > 0)
      this.#notes.push(`Between two runs these became as committed, which isn’t played: ${undone.join(', ')}.`);
  }

  async #open(opening: Opening, resume: string | undefined, trust: boolean): Promise<Session> {
    const { workspace, ownEnv, parts } = this.#options;
    const { setup } = opening;
    const options: SessionOptions = {
      ...parts,
      workspace,
      env: ownEnv,
      trust,
      ...(resume !== undefined && { resume }),
      settings: this.#settings(setup),
      approver: this.#approver,
      onEvent: (event) => {
        this.#look(event);
        parts.onEvent?.(event);
      },
    };
    const adjust = (today: SetupData): SetupData => ({ ...today, checks: this.#checks(setup, today) });
    const session = await openWith(options, () => this.#provider(setup), adjust);
    for (const { code, text } of session.notices) if (code === 'sandbox-missing') this.#notes.push(text);
    this.#session = session;
    return session;
  }

  #settings(setup: SetupData): RunSettings {
    const { mode = safeMode(setup.mode), checks, allow, deny } = this.#options.settings;
    const recorded = setup.checks === 'waived' ? setup.checks : setup.checks.map(({ command }) => command);
    return {
      mode,
      checks: checks ?? recorded,
      limits: setup.limits,
      ...(allow !== undefined && { allow }),
      ...(deny !== undefined && { deny }),
    };
  }

  /** The recorded checks with what defines them today; a check is due as it was due then, whoever asked for it. */
  #checks(setup: SetupData, today: SetupData): SetupData['checks'] {
    if (this.#options.settings.checks !== undefined || setup.checks === 'waived') return today.checks;
    const { workspace } = this.#options;
    return setup.checks.map((check) => ({ ...check, ...definitionOf(check, workspace) }));
  }

  /** The models of the setup, all of them served here; nothing leaves the machine, and nobody waits for another try. */
  async #provider(setup: SetupData) {
    const { withoutPauses } = await loadCassettes();
    const transport = createTransport();
    const link = async ({ wire }: Target): Promise<Link> => {
      return { wire: await loadWire(wire), baseUrl: this.#server.url, headers: () => ({}) };
    };
    const { provider, wire, model, profile, settings, abilities, window, maxOutput, rates } = setup;
    const target: Target = {
      provider,
      wire,
      model,
      settings,
      abilities,
      window,
      maxOutput,
      ...(profile !== undefined && { profile }),
      ...(rates !== undefined && { rates }),
    };
    const connect = ({ notice: _, session: __, ...parts }: ModelParts) =>
      withoutPauses(createModel({ transport, link, random: Math.random, ...parts }), parts.clock);
    return {
      target,
      routes: setup.routes ?? [],
      notices: [],
      find: noOther,
      aside: connect,
      connect,
      close: () => Promise.resolve(transport.close()),
    };
  }

  async #drive(session: Session, drive: Drive): Promise<void> {
    this.#script.begin(drive);
    this.#waiting = [...drive.arrivals];
    for (const input of drive.inputs) await this.#say(session, input);
    // A run that has stopped goes on only when something came in.
    const cancel = (): void => void this.#said.push(session.cancel('signal'));
    this.#options.signal?.addEventListener('abort', cancel, { once: true });
    if (session.view.stop === undefined) await session.run();
    this.#options.signal?.removeEventListener('abort', cancel);
    await Promise.all(this.#said.splice(0));
    for (const { after, kind } of this.#waiting)
      this.#notes.push(`The ${kind} that came after “${after}” had no place: the run didn’t get there.`);
  }

  async #say(
    session: Session,
    { text, from, images = [] }: Extract<Arrival, { kind: 'input' }>['data'],
  ): Promise<void> {
    const { folder, map } = this.#options;
    const blobs = new Blobs(folder);
    const found = await Promise.all(images.map(({ blob }) => blobs.get(blob).catch(lost)));
    const bytes = found.filter((image) => image !== undefined);
    if (bytes.length < found.length) this.#notes.push(`An image is lost: “${text.slice(0, 40)}” is said without it.`);
    const speaker = from === 'steer' || from === 'follow-up' ? from : 'user';
    if (text.trim() !== '' || bytes.length > 0) await session.say(map(text), speaker, bytes);
  }

  /** Follows the run; what came from outside then comes in at the same place. */
  #look(event: Event): void {
    const step = this.#steps.take(event);
    const session = this.#session;
    if (step === undefined || session === undefined) return;
    const due = this.#waiting.filter(({ after }) => after === step);
    this.#waiting = this.#waiting.filter((arrival) => !due.includes(arrival));
    for (const arrival of due) {
      const said =
        arrival.kind === 'input'
          ? this.#say(session, arrival.data)
          : session.cancel(arrival.data.by, arrival.data.signal);
      this.#said.push(said);
    }
  }

  /** Answers as the person did then; for a question that nobody answered then, nobody is there. */
  readonly #approver: Approver = {
    ask: async (question, signal) => {
      const { calls, reviews } = this.#options.work;
      const name = this.#steps.callOf(question.call);
      const answer = question.plan === undefined ? calls.get(name)?.answer : reviews.get(name);
      if (answer === undefined) return question.plan === undefined ? nobody.ask(question, signal) : 'later';
      const { by, decision, scope, reason, mode } = answer;
      return { by, decision, scope, ...(reason !== undefined && { reason }), ...(mode !== undefined && { mode }) };
    },
  };

  /** What the user has allowed “always” in the workspace holds in its copy; but what this session itself led to is asked again. */
  #carryGrants(): void {
    const { work, workspace, env, ownEnv } = this.#options;
    const own = [...work.calls.values()].filter(({ answer }) => answer?.scope === 'always');
    const shapes = own.map(({ verdict }) => verdict?.shape);
    const place = { workspace: work.workspace, ...(env !== undefined && { env }) };
    for (const shape of loadGrants(place).shapes) {
      if (!shapes.includes(shape)) saveGrant({ workspace, env: ownEnv }, shape);
    }
  }

  /** The project’s settings in the copy count when the user trusts the same content in the workspace. */
  async #isTrusted(): Promise<boolean> {
    const { work, workspace, env, ownEnv } = this.#options;
    const { project } = await loadSettings({ workspace, env: ownEnv });
    if (project === undefined) return false;
    return isTrusted({ workspace: work.workspace, hash: project.hash, ...(env !== undefined && { env }) }).trusted;
  }
}

/** A file that is gone or damaged is no reason not to play the rest. */
function lost(error: unknown): undefined {
  if (error instanceof ReinsError) return undefined;
  throw error;
}

/** What ran without a sandbox must not do again outside of the copy what it did then: its commands pass, inside the sandbox. */
function safeMode(mode: SetupData['mode']): SetupData['mode'] {
  return mode === 'unsafe' ? 'auto' : mode;
}
