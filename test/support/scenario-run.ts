/** One run of a case, through the door of the harness or as a process of the command line. */
import { spawn } from 'node:child_process';
import {
  cancelSession,
  createSession,
  exitCodeOf,
  listSessions,
  openReader,
  ReinsError,
  sayTo,
  usageExitCode,
  type Damage,
  type Event,
  type RunOutcome,
  type RunSettings,
  type Session,
} from '../../src/harness/index.ts';
import { doDeeds, nothingRuns, Watch, type Reach, type Stage } from './scenario-deeds.ts';
import { commandLine } from './compiled.ts';
import { key, processesOf, within } from './scenario-place.ts';
import type { RunSpec } from './scenario-schema.ts';
import type { LoadedCase, Place, Ran } from './scenario-types.ts';
import { environmentFor, ways, type WireName } from './scenario-wires.ts';

/** Milliseconds after which a run is given up. */
const patience = 60_000;
/** Milliseconds that the system may take to put away what was killed. */
const settling = 2000;

type Ended = Pick<Ran, 'exit' | 'signal' | 'out' | 'err' | 'outcome' | 'undone'> & { session?: string };

export async function runOnce(spec: RunSpec, stage: Stage): Promise<Ran> {
  const { loaded, place, runs } = stage;
  await doDeeds(spec.before ?? [], stage, nothingRuns);
  const known = await allItems(place);
  const received = place.server.requests.length;
  const began = performance.now();
  const ended = loaded.through === 'harness' ? await runHarness(spec, stage) : await runProgram(spec, stage, known);
  const elapsed = performance.now() - began;
  await within(settling, () => processesOf(place.root).length === 0);
  const session = ended.session ?? (await newest(place)) ?? runs.at(-1)?.session;
  const all = session === undefined ? [] : [...(await openReader(place.environment, session)).items()];
  return {
    ...ended,
    spec,
    ...(session !== undefined && { session }),
    items: all.slice(session === undefined ? 0 : (known.get(session) ?? 0)),
    requests: place.server.requests.slice(received),
    elapsed,
    alive: processesOf(place.root),
  };
}

/** How many items each session has. */
async function allItems({ environment }: Place): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { id } of await listSessions(environment)) {
    counts.set(id, [...(await openReader(environment, id)).items()].length);
  }
  return counts;
}

async function newest({ environment }: Place): Promise<string | undefined> {
  return (await listSessions(environment)).at(-1)?.id;
}

function settingsOf(spec: RunSpec, place: Place, wire: WireName): RunSettings {
  const { model = ways[wire].model, mode, checks, allow, deny, limits, baseUrl = place.server.url } = spec;
  return {
    model,
    ...(mode !== undefined && { mode }),
    ...(checks !== undefined && { checks: checks === 'waived' ? checks : [...checks] }),
    ...(allow !== undefined && { allow: [...allow] }),
    ...(deny !== undefined && { deny: [...deny] }),
    ...(limits !== undefined && { limits }),
    endpoint: { baseUrl, apiKey: key },
  };
}

async function runHarness(spec: RunSpec, stage: Stage): Promise<Ended> {
  const { loaded, place, runs } = stage;
  let session: Session | undefined;
  const open = (): Session => {
    if (session === undefined) throw new TypeError('Nothing runs that could be reached.');
    return session;
  };
  const watch = new Watch(spec.during ?? [], stage, {
    giveUp: () => void open().cancel('a deed that failed'),
    signal: (name) => open().cancel('signal', name === 'SIGINT' ? 'SIGINT' : 'SIGTERM'),
    cancel: () => open().cancel('the test'),
    say: (text) => open().say(text, 'steer'),
    switchTo: (model) => open().switchModel(model, 'the test'),
  });
  const before = runs.at(-1)?.session;
  try {
    session = await createSession({
      workspace: place.workspace,
      env: { ...place.environment, ...spec.environment },
      settings: settingsOf(spec, place, loaded.wire),
      ...(spec.resume === true && before !== undefined && { resume: before }),
      onEvent: (event) => watch.event(event),
    });
    if (spec.task !== null) await session.say(spec.task ?? 'Do it.');
    const outcome = await session.run();
    return { ...ended(outcome), session: session.id, undone: await watch.end() };
  } catch (error) {
    if (!(error instanceof ReinsError)) throw error;
    const exit = error.class === 'usage' ? usageExitCode : exitCodeOf('error');
    const outcome = { ...session?.outcome(), code: error.code, detail: error.detail, exit };
    return { exit, signal: null, out: '', err: error.message, outcome, undone: await watch.end() };
  } finally {
    await session?.close();
  }
}

function ended(outcome: RunOutcome): Pick<Ended, 'exit' | 'signal' | 'out' | 'err' | 'outcome'> {
  return { exit: outcome.exit, signal: null, out: '', err: '', outcome };
}

async function runProgram(spec: RunSpec, stage: Stage, known: Map<string, number>): Promise<Ended> {
  const { place, loaded, runs } = stage;
  const before = spec.resume === true ? runs.at(-1)?.session : undefined;
  const child = start(wordsOf(spec, loaded, before), spec, stage);
  const over = new AbortController();
  const id = async (): Promise<string> => before ?? (await newSession(place, known, over.signal));
  const reach: Reach = {
    giveUp: () => void child.kill('SIGKILL'),
    signal: (name) => void child.kill(name),
    cancel: async () => void (await cancelSession(place.environment, await id())),
    say: async (text) => void (await sayTo(place.environment, await id(), text)),
    switchTo: () => Promise.reject(new TypeError('A run of the command line keeps its model.')),
  };
  const watch = new Watch(spec.during ?? [], stage, reach);
  const following = watch.wantsEvents ? follow(place, id, known, watch, over.signal) : Promise.resolve();
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  const limit = setTimeout(() => child.kill('SIGKILL'), patience);
  const [exit, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...end) => resolve(end));
  });
  clearTimeout(limit);
  over.abort();
  await following;
  const outcome = loaded.output === 'text' ? undefined : lastLine(out);
  return { exit, signal, out, err, outcome, undone: await watch.end() };
}

function start(words: string[], spec: RunSpec, { loaded, place }: Stage) {
  const { environment: more, baseUrl = place.server.url, stdin = 'empty' } = spec;
  const env = { ...place.environment, ...environmentFor(loaded.wire, baseUrl, key), ...more };
  place.lead(baseUrl);
  const program = [process.execPath, commandLine, ...words];
  // A shell that closes its own standard input and becomes the program.
  const [file = '', ...rest] = stdin === 'closed' ? ['sh', '-c', 'exec "$0" "$@" <&-', ...program] : program;
  return spawn(file, rest, {
    cwd: place.workspace,
    env,
    stdio: [stdin === 'open' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
}

function wordsOf(spec: RunSpec, { output, wire }: LoadedCase, resume: string | undefined): string[] {
  const { task = 'Do it.', model = ways[wire].model, mode, checks = [], allow = [], deny = [], limits = {} } = spec;
  const named = { turns: limits.turns, calls: limits.calls, minutes: limits.minutes, cost: limits.cost };
  return [
    'run',
    ...(output === 'text' ? [] : ['--json']),
    ...(output === 'deltas' ? ['--deltas'] : []),
    '--model',
    model,
    ...(mode === undefined ? [] : ['--mode', mode]),
    ...(checks === 'waived' ? ['--check', 'none'] : checks.flatMap((check) => ['--check', check])),
    ...allow.flatMap((shape) => ['--allow', shape]),
    ...deny.flatMap((shape) => ['--deny', shape]),
    ...Object.entries(named).flatMap(([name, value]) => {
      return value === undefined ? [] : [`--max-${name}`, String(value ?? 'none')];
    }),
    ...(limits.outputTokens === undefined ? [] : ['--max-output-tokens', String(limits.outputTokens)]),
    ...(resume === undefined ? [] : ['--resume', resume]),
    ...(task === null ? [] : [task]),
  ];
}

/** The session that wasn't there before, as soon as it is there. */
async function newSession({ environment }: Place, known: Map<string, number>, over: AbortSignal): Promise<string> {
  let id: string | undefined;
  await within(patience, async () => {
    id = (await listSessions(environment)).find((each) => !known.has(each.id) && each.startedAt > 0)?.id;
    return id !== undefined || over.aborted;
  });
  if (id === undefined) throw new Error('No session was made.');
  return id;
}

async function follow(
  { environment }: Place,
  session: () => Promise<string>,
  known: Map<string, number>,
  watch: Watch,
  signal: AbortSignal,
): Promise<void> {
  const id = await session();
  let skip = known.get(id) ?? 0;
  for await (const item of (await openReader(environment, id)).follow(signal)) {
    if (skip > 0) skip -= 1;
    else if (!isDamage(item)) watch.event(item);
  }
}

function isDamage(item: Event | Damage): item is Damage {
  return 'damage' in item;
}

/** The outcome that the last line says; undefined where that is none. What is wrong with the lines is said elsewhere. */
function lastLine(out: string): Partial<RunOutcome> | undefined {
  try {
    const value = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as { type?: string };
    return value.type === 'outcome' ? (value as Partial<RunOutcome>) : undefined;
  } catch {
    return undefined;
  }
}
