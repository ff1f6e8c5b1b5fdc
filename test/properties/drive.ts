/** Drives a scripted session to its end, whatever stops it on the way: each stop is taken up again, as a person would. */
import assert from 'node:assert/strict';
import { answerQuestion, createSession, type Event, type RunOutcome, type Session } from '../../src/harness/index.ts';
import { recordingApprover, startModelServer, type ModelServer } from '../../src/testing/index.ts';
import { eventsIn, optionsFor, pathIn, type Ground, type State } from './ground.ts';
import { lastWords, type Script } from './script.ts';

export interface Driven {
  id: string;
  folder: string;
  server: ModelServer;
  outcomes: RunOutcome[];
  /** What was said to the session, each once it was recorded. */
  said: string[];
}

/** What the model says when it is asked after its last words. */
const afterwards = 'It is all done.';
/** More rounds than any script needs: each turn can stop a run four times at most. */
const mostRounds = 60;
/** After these a session does nothing by itself: something must be said to it. */
const atRest = new Set(['completed', 'unverified', 'refused', 'stuck', 'denied']);

/**
 * Plays a script from where the log of the session stands (from the beginning, where no id is given) until the model has said its
 * last words. The server is a strict one of its own; the caller closes it.
 */
export async function drive(ground: Ground, state: State, script: Script, resume?: string): Promise<Driven> {
  const server = await startModelServer({ turns: script.turns, after: { text: afterwards } });
  const driven: Driven = { id: resume ?? '', folder: '', server, outcomes: [], said: [] };
  const approver = recordingApprover(script.answers);
  const arrivals = new Arrivals(script, driven);
  try {
    for (let round = 1; !isThrough(driven); round += 1) {
      assert.ok(
        round <= mostRounds,
        `not through after ${mostRounds} rounds: ${JSON.stringify(driven.outcomes.at(-1))}`,
      );
      const options = optionsFor(ground, state, server);
      const session = await createSession({
        ...options,
        settings: { ...options.settings, ...settingsOf(script, round) },
        approver,
        onEvent: arrivals.onEvent,
        ...(driven.id !== '' && { resume: driven.id }),
      });
      Object.assign(driven, { id: session.id, folder: session.folder });
      await runOnce(session, driven, arrivals);
      if (driven.outcomes.at(-1)?.outcome === 'waiting' && round % 2 === 0) await answerFromOutside(state, driven);
    }
    return driven;
  } catch (error) {
    await server.close();
    throw error;
  }
}

function settingsOf({ turnLimit, wanted }: Script, round: number) {
  const turns = round === 1 ? (turnLimit ?? null) : null;
  const checks = wanted === undefined ? ('waived' as const) : [`read value <value; test "$value" -ge ${wanted}`];
  return { checks, limits: { turns, calls: null, minutes: null, cost: null } };
}

async function runOnce(session: Session, driven: Driven, arrivals: Arrivals): Promise<void> {
  try {
    arrivals.attach(session);
    const words = wordsFor(pathIn(session.folder));
    if (words !== undefined) {
      await session.say(words);
      driven.said.push(words);
    }
    driven.outcomes.push(await session.run());
    await arrivals.settled();
  } finally {
    arrivals.detach();
    await session.close();
  }
}

/** What a person says to go on: the task at first, and something after an end. */
function wordsFor(events: readonly Event[]): string | undefined {
  const said = events.findLastIndex((event) => event.kind === 'input' && event.data.from !== 'harness');
  if (said < 0) return 'Do it.';
  const stop = events.slice(said).findLast((event) => event.kind === 'stop');
  return stop?.kind === 'stop' && atRest.has(stop.data.reason) ? 'Go on.' : undefined;
}

async function answerFromOutside({ env }: State, { id, folder, outcomes }: Driven): Promise<void> {
  // The answer may have come before the question was looked at again.
  if (!outcomes.at(-1)?.detail.includes('question')) return;
  await answerQuestion(env, id, { decision: 'yes', scope: 'once' });
  assert.equal(eventsIn(folder).at(-1)?.kind, 'answer');
}

function isThrough({ folder, outcomes }: Driven): boolean {
  const last = outcomes.at(-1);
  if (last?.outcome !== 'completed' && last?.outcome !== 'unverified') return false;
  // The last words themselves can be what a damaged log has lost.
  const ends = [lastWords, afterwards];
  return pathIn(folder).some(
    (event) =>
      event.kind === 'reply' && event.data.parts.some((part) => part.type === 'text' && ends.includes(part.text)),
  );
}

/** What comes from others, when so many events have been recorded. */
class Arrivals {
  readonly #left: Script['arrivals'];
  readonly #driven: Driven;
  #count = 0;
  #session: Session | undefined;
  #due: Script['arrivals'] = [];
  #pending: Promise<void>[] = [];

  constructor({ arrivals }: Script, driven: Driven) {
    this.#left = [...arrivals];
    this.#driven = driven;
  }

  readonly onEvent = (): void => {
    this.#count += 1;
    this.#due.push(...this.#left.filter(({ at }) => at === this.#count));
    this.#deliver();
  };

  attach(session: Session): void {
    this.#session = session;
    this.#deliver();
  }

  detach(): void {
    this.#session = undefined;
  }

  /** Resolves when everything that came is recorded. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #deliver(): void {
    const session = this.#session;
    if (session === undefined) return;
    for (const { at, what } of this.#due.splice(0)) {
      const words = `By the way, at ${at}.`;
      const done = what === 'cancel' ? session.cancel('test') : session.say(words, what);
      this.#pending.push(done.then(() => void (what !== 'cancel' && this.#driven.said.push(words))));
    }
  }
}
