/** What a case does from outside while a run is under way, or before it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../src/harness/index.ts';
import { putFiles } from './scenario-files.ts';
import { mismatch, shown } from './scenario-match.ts';
import type { Deed, During } from './scenario-schema.ts';
import type { LoadedCase, Place, Ran } from './scenario-types.ts';

/** How a run that is under way is reached. */
export interface Reach {
  /** Ends the run by force: what was to be done could not be done, and nobody knows what it waits for. */
  giveUp(): void;
  signal(name: NodeJS.Signals): void | Promise<void>;
  cancel(): void | Promise<void>;
  say(text: string): void | Promise<void>;
  switchTo(model: string): void | Promise<void>;
}

const unreachable = (): never => {
  throw new TypeError('Nothing runs that could be reached.');
};
export const nothingRuns: Reach = {
  giveUp: unreachable,
  signal: unreachable,
  cancel: unreachable,
  say: unreachable,
  switchTo: unreachable,
};

export interface Stage {
  loaded: LoadedCase;
  place: Place;
  /** The runs before this one. */
  runs: readonly Ran[];
}

export async function doDeeds(deeds: readonly Deed[], { loaded, place, runs }: Stage, reach: Reach): Promise<void> {
  for (const { files, remove = [], signal, cancel, say, switchTo, script } of deeds) {
    for (const path of remove) rmSync(join(place.workspace, path), { recursive: true });
    if (files !== undefined) putFiles(place.workspace, files);
    if (signal !== undefined) await reach.signal(signal);
    if (cancel === true) await reach.cancel();
    if (say !== undefined) await reach.say(say);
    if (switchTo !== undefined) await reach.switchTo(switchTo);
    if (script === undefined) continue;
    const step = loaded.script.deeds?.[script];
    if (step === undefined) throw new TypeError(`script.ts has no deed ${script}.`);
    await step(place, runs);
  }
}

function endsRun({ signal, cancel }: Deed): boolean {
  return signal !== undefined || cancel === true;
}

/** Waits for the moments of one run and does what is to be done then. */
export class Watch {
  readonly #waiting: During[];
  readonly #act: (deeds: readonly Deed[]) => Promise<void>;
  readonly #giveUp: () => void;
  readonly #acting: Promise<void>[] = [];

  constructor(during: readonly During[], stage: Stage, reach: Reach) {
    this.#waiting = [...during];
    this.#act = (deeds) => doDeeds(deeds, stage, reach);
    this.#giveUp = () => reach.giveUp();
    const before = stage.place.server.requests.length;
    for (const moment of during) {
      if (moment.request === undefined) continue;
      const held = stage.place.server.hold(before + moment.request, moment.stage);
      // A request that never comes leaves its moment in the list of those that wait.
      void held.reached.then(
        // An answer that a run must not get any more waits until nobody is there to take it.
        () => this.#come(moment).then(() => (moment.do.some(endsRun) ? undefined : held.release())),
        () => undefined,
      );
    }
  }

  get wantsEvents(): boolean {
    return this.#waiting.some(({ event }) => event !== undefined);
  }

  event(event: Event): void {
    const moment = this.#waiting.find((each) => each.event !== undefined && mismatch(each.event, event) === undefined);
    if (moment !== undefined) void this.#come(moment);
  }

  /** What never came. Rejects with what went wrong while something was done. */
  async end(): Promise<string[]> {
    await Promise.all(this.#acting);
    return this.#waiting.map(({ do: _, ...moment }) => shown(moment));
  }

  #come(moment: During): Promise<void> {
    this.#waiting.splice(this.#waiting.indexOf(moment), 1);
    const acting = this.#act(moment.do);
    this.#acting.push(acting);
    // What went wrong is said at the end.
    return acting.catch(() => this.#giveUp());
  }
}
