/** The inner door to jobs: those of every kind, asked as one. */
import type { JobKeeper, Jobs, Refusal } from './keeper.ts';

export type {
  JobEnd,
  JobKeeper,
  JobKind,
  JobListener,
  JobLook,
  JobReport,
  Jobs,
  JobStart,
  JobState,
  Refusal,
} from './keeper.ts';
export { PatternSearch } from './pattern.ts';
export { SessionJobs, type JobSlot } from './session-jobs.ts';

/** The jobs of several keepers. */
export function createJobs(keepers: readonly JobKeeper[]): Jobs {
  const keeperOf = async (id: string): Promise<JobKeeper | undefined> => {
    for (const keeper of keepers) if (await keeper.has(id)) return keeper;
    return undefined;
  };
  const list = async () => (await Promise.all(keepers.map((keeper) => keeper.list()))).flat();
  const unknown = async (id: string): Promise<Refusal> => {
    const ids = (await list()).map((job) => job.id);
    return {
      refused: `There is no job ${JSON.stringify(id)}; ${ids.length === 0 ? 'there is none at all' : `there is ${ids.join(', ')}`}.`,
    };
  };
  return {
    list,
    look: async (id, look, signal) => (await keeperOf(id))?.look(id, look, signal) ?? unknown(id),
    // Null is an answer here, and not that there is none.
    async type(id, input) {
      const keeper = await keeperOf(id);
      return keeper === undefined ? unknown(id) : keeper.type(id, input);
    },
    end: async (id) => (await keeperOf(id))?.end(id) ?? unknown(id),
  };
}
