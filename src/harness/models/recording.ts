/** The joint for recordings: what a run exchanges with its models is kept (`--record DIR`), or comes out of what was kept (`replay:DIR`). */
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { placesOf, type LoadedSettings } from '../../config/index.ts';
import {
  ReinsError,
  targetName,
  type Clock,
  type EventData,
  type Model,
  type Route,
  type Target,
} from '../../core/index.ts';
import {
  createModel,
  loadCassettes,
  loadWire,
  requestUrl,
  type Cassette,
  type Link,
  type RequestBodies,
  type Surroundings,
  type Transport,
} from '../../model/index.ts';
import { noOther, refuseUnpriced, routesOf } from './targets.ts';
import type { SessionOptions } from '../types.ts';

export const replayPrefix = 'replay:';

/** What leads to the models of a run. */
export interface Lines {
  transport: Transport;
  link: (target: Target) => Promise<Link>;
}

/** The same lines, recorded where that was asked for; `session` is the id of the session. */
export type Tape = (lines: Lines, session: string) => Lines;

/** What a model port needs of a session. */
export interface ModelParts extends RequestBodies {
  clock: Clock;
  cacheKey: string;
  /** The id of the session, where the key isn’t that. */
  session?: string;
  /** Records what a person should know. */
  notice: (data: EventData['notice']) => void;
}

/** Where a session runs, for whoever compares what it says with what another one said. */
export function surroundingsOf(
  { env, workspace }: { env?: SessionOptions['env'] | undefined; workspace: string },
  session: string,
): Surroundings {
  const temporary = tmpdir();
  // Inside the sandbox there is always a /tmp.
  const folders = new Set([temporary, realpathSync(temporary), '/tmp']);
  return { workspace: realpathSync(workspace), home: placesOf(env).home, temporary: [...folders], session };
}

/** Makes the folder of `options.record` ready, where there is one. Rejects with `usage-arguments` and `cassette-unwritable`. */
export async function tapeFor(options: SessionOptions): Promise<Tape> {
  if (options.record === undefined) return (lines) => lines;
  if (options.record.trim() === '') throw new ReinsError('usage-arguments', 'A recording needs a folder.');
  const { openRecordingFolder, recordingTransport } = await loadCassettes();
  const folder = await openRecordingFolder(resolve(options.record), options.resume !== undefined);
  return ({ transport, link }, session) => {
    const targets = new Map<string, Target>();
    const tape = recordingTransport(transport, {
      folder,
      target: ({ url }) => targets.get(url.href),
      surroundings: surroundingsOf(options, session),
      now: () => Date.now(),
    });
    return {
      transport: tape,
      link: async (target) => {
        const found = await link(target);
        targets.set(requestUrl(found, target).href, target);
        return found;
      },
    };
  };
}

/** Plays the recording back that `name` names: its models and prices, and no network. Rejects with `cassette-invalid`, `config-untrusted` and `usage-arguments`. */
export async function replay(name: string, options: SessionOptions, loaded: LoadedSettings) {
  refuseProject(loaded);
  const { folder, tolerant } = replayOf(name);
  const { readRecording, replayTransport, withoutPauses } = await loadCassettes();
  const cassettes = await readRecording(folder);
  const targets = targetsOf(cassettes, options);
  const [target] = targets;
  if (target === undefined) throw new ReinsError('cassette-invalid', `${folder}: there are no cassettes in it.`);
  const entry = { ...target, assumed: [] };
  const routes = recordedRoutes(routesOf(loaded, entry), targets);
  refuseUnpriced(loaded, entry, routes);
  const tape = await tapeFor(options);
  await loadWire(target.wire);
  // One player for all: exchanges are played in the order in which they were recorded.
  let transport: Transport | undefined;
  const connect = ({ notice, session, ...parts }: ModelParts): Model => {
    const id = session ?? parts.cacheKey;
    transport ??= replayTransport({
      cassettes,
      tolerant,
      goesOn: options.resume !== undefined,
      surroundings: surroundingsOf(options, id),
      now: () => parts.clock.now(),
      notice: (text) => notice({ code: 'replay-alike', level: 'warning', text }),
    });
    const lines = tape({ transport, link: linkTo }, id);
    return withoutPauses(createModel({ ...lines, random: Math.random, ...parts }), parts.clock);
  };
  return {
    target,
    routes,
    notices: [],
    find: noOther,
    aside: connect,
    connect,
    close: () => Promise.resolve(),
  };
}

/** What is played back is obeyed as a model is: whose replies these are is the user's to say. */
function refuseProject({ origins }: LoadedSettings): void {
  const { layer, file, line } = origins['model'] ?? {};
  if (layer !== 'project') return;
  throw new ReinsError('config-untrusted', `${file}:${line ?? 1}: model: A project can’t choose a recording.`);
}

/** The folder, and whether what is only alike will do. */
function replayOf(name: string): { folder: string; tolerant: boolean } {
  const [, path = '', how] = /^replay:(.*?)(?:\?(strict|tolerant))?$/s.exec(name) ?? [];
  if (path === '')
    throw new ReinsError('usage-arguments', `"${name}" names no folder: write replay:DIR or replay:DIR?tolerant.`);
  return { folder: resolve(path), tolerant: how === 'tolerant' };
}

/** Whom the recorded requests went to, each once, and told to work as they were but for what is asked of this run. */
function targetsOf(cassettes: readonly Cassette[], { settings = {} }: SessionOptions): Target[] {
  const { effort, thinking, temperature, topP } = settings;
  const asked = Object.entries({ effort, thinking, temperature, topP }).filter(([, value]) => value !== undefined);
  const found = new Map(cassettes.toReversed().map(({ target }) => [targetName(target), target]));
  const inOrder = [...new Set(cassettes.map(({ target }) => targetName(target)))].flatMap(
    (name) => found.get(name) ?? [],
  );
  return inOrder.map((target) => ({ ...target, settings: { ...target.settings, ...Object.fromEntries(asked) } }));
}

/** The routes of the settings that lead to a recorded model; the others lead nowhere here. */
function recordedRoutes(routes: readonly Route[], targets: readonly Target[]): Route[] {
  return routes.flatMap((route) => {
    const target = targets.find((each) => targetName(each) === targetName(route));
    return target === undefined ? [] : [{ ...target, settings: route.settings, when: route.when }];
  });
}

/** An address that leads nowhere, should anything ever be sent there. */
const nowhere = 'http://replay.invalid';

async function linkTo({ wire }: Target): Promise<Link> {
  return { wire: await loadWire(wire), baseUrl: nowhere, headers: () => ({}) };
}
