// A test runner for Stryker: it loads the tests once, into its own process, and runs those that reach a mutant, those first
// that are likely to fail and quick. A process for each mutant would take a hundred times as long.
import { registerHooks } from 'node:module';
import { loadTests } from './mutation-tests.mjs';

const standIn = new URL('./mutation-tests.mjs', import.meta.url).href;
/** Where the mutated code looks for the mutant that is on, and counts what was reached. */
const state = (globalThis.__stryker__ ??= {});
const succeeded = 0;
const failed = 1;

class Runner {
  #options;
  #tests;

  constructor(options) {
    this.#options = options.inProcess;
  }

  /** A mutant of what is done on loading needs a process of its own. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  async dryRun() {
    const results = [];
    for (const test of (await this.#loaded()).values()) {
      state.currentTestId = test.id;
      results.push(await run(test));
    }
    state.currentTestId = undefined;
    return { status: 'complete', tests: results, mutantCoverage: state.mutantCoverage };
  }

  async mutantRun({ activeMutant, mutantActivation, testFilter, hitLimit }) {
    if (mutantActivation === 'runtime') await this.#loaded();
    Object.assign(state, { activeMutant: activeMutant.id, hitCount: hitLimit && 0, hitLimit });
    const outcome = await this.#firstFailure(testFilter);
    const endless = state.hitCount > state.hitLimit;
    Object.assign(state, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    return endless ? { status: 'timeout', reason: 'it was reached a hundred times as often' } : outcome;
  }

  async #firstFailure(filter) {
    try {
      const tests = await this.#loaded();
      const chosen = filter?.map((id) => tests.get(id)) ?? [...tests.values()];
      chosen.sort((one, other) => one.time / (1 + one.kills) - other.time / (1 + other.kills));
      for (const [at, test] of chosen.entries()) {
        const result = await run(test);
        if (result.status !== failed) continue;
        test.kills += 1;
        return { status: 'killed', killedBy: [test.id], failureMessage: result.failureMessage, nrOfTests: at + 1 };
      }
      return { status: 'survived', nrOfTests: chosen.length };
    } catch (error) {
      return {
        status: 'killed',
        killedBy: [],
        failureMessage: `the tests can't be loaded: ${String(error)}`,
        nrOfTests: 0,
      };
    }
  }

  #loaded() {
    return (this.#tests ??= loadTests(this.#options));
  }
}

async function run(test) {
  const began = performance.now();
  const result = { id: test.id, name: test.id, fileName: test.file, status: succeeded };
  try {
    await test.body();
  } catch (error) {
    Object.assign(result, { status: failed, failureMessage: String(error) });
  }
  test.time = performance.now() - began;
  return { ...result, timeSpentMs: test.time };
}

function createRunner(options) {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:test' ? { url: standIn, shortCircuit: true } : next(specifier, context),
  });
  return new Runner(options);
}
createRunner.inject = ['options'];

export const strykerValidationSchema = {
  properties: {
    inProcess: {
      description:
        'The files of tests; what stands in the names of tests that are left out, as they would take too long.',
      properties: {
        files: { type: 'array', items: { type: 'string' } },
        leaveOut: { type: 'array', items: { type: 'string' } },
      },
    },
  },
};
export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: createRunner }];
