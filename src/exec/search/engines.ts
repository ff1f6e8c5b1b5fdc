/** Which engine searches a place: ripgrep where there is one, else the own walk. */
import type { Environment } from '../needs.ts';
import type { Engine, Place } from './engine.ts';
import { isBeyondRipgrep } from './place.ts';

export interface Engines {
  /** Lets the engine for a place do something; where ripgrep fails, the own walk does it instead. */
  use<T>(place: Place, work: (engine: Engine) => Promise<T>): Promise<T>;
}

export interface EngineOptions {
  workspace: string;
  environment: Environment;
  program?: string | null;
}

export function createEngines({ workspace, environment, program }: EngineOptions): Engines {
  let walk: Promise<Engine> | undefined;
  let ripgrep: Promise<Engine | undefined> | undefined;
  const startWalk = async (): Promise<Engine> => (await import('./walk/index.ts')).createWalk();
  const startRipgrep = async (): Promise<Engine | undefined> => {
    if (program === null) return undefined;
    const { createRipgrep, findRipgrep } = await import('./ripgrep/index.ts');
    const found = program ?? (await findRipgrep(workspace, environment['PATH']));
    return found === undefined ? undefined : createRipgrep(found);
  };
  return {
    async use(place, work) {
      const first = isBeyondRipgrep(place) ? undefined : await (ripgrep ??= startRipgrep());
      if (first !== undefined) {
        try {
          return await work(first);
        } catch (error) {
          const { RipgrepFailed } = await import('./ripgrep/index.ts');
          if (!(error instanceof RipgrepFailed)) throw error;
        }
      }
      return work(await (walk ??= startWalk()));
    },
  };
}
