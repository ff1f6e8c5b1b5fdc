// A test runner for Stryker: it loads the tests once, into its own process, and runs those that reach a mutant, those first
// that are likely to fail and quick. A process for each mutant would take a hundred times as long.
import { registerHooks } from 'node:module';
import { loadTests } from './mutation-tests.mjs';

const standIn = new URL('./mutation-tests.mjs', import.meta.url).href;
/** Where the mutated code looks for the mutant that is on, and counts what was reached. */
const state = (globalThis.__stryker__ ??= {});
const succeeded = 0;
const failed = 1;
/** How often the code was loaded: a mutant of what is computed on loading wants all of it anew. */
let loads = 0;

class Runner {
  #options;
  #loaded;

  constructor(options) {
    this.#options = options.inProcess;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun() {
    const results = [];
    const { tests } = await this.#load();
    for (const test of tests.values()) {
      state.currentTestId = test.id;
      results.push(await run(test));
    }
    state.currentTestId = undefined;
    return { status: 'complete', tests: results, mutantCoverage: state.mutantCoverage };
  }

  async mutantRun({ activeMutant, reloadEnvironment, testFilter, hitLimit }) {
    const kept = await this.#load();
    Object.assign(state, { activeMutant: activeMutant.id, hitCount: hitLimit && 0, hitLimit });
    const outcome = reloadEnvironment ? await this.#runAnew(kept) : await firstFailure(kept.tests, testFilter);
    const endless = state.hitCount > state.hitLimit;
    Object.assign(state, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    return endless ? { status: 'timeout', reason: 'it was reached a hundred times as often' } : outcome;
  }

  /** With the code as it is when the mutant is on from the start. */
  async #runAnew(kept) {
    loads += 1;
    let anew;
    try {
      anew = await loadTests(this.#options);
    } catch (error) {
      return { status: 'killed', killedBy: [], failureMessage: `it can't be loaded: ${String(error)}`, nrOfTests: 0 };
    }
    for (const [id, test] of anew.tests) test.time = kept.tests.get(id)?.time ?? 0;
    const outcome = await firstFailure(anew.tests);
    await anew.close();
    return outcome;
  }

  #load() {
    return (this.#loaded ??= loadTests(this.#options));
  }
}

async function firstFailure(tests, names = [...tests.keys()]) {
  const chosen = names.map((id) => tests.get(id));
  chosen.sort((one, other) => one.time / (1 + one.kills) - other.time / (1 + other.kills));
  for (const [at, test] of chosen.entries()) {
    const result = await run(test);
    if (result.status !== failed) continue;
    test.kills += 1;
    return { status: 'killed', killedBy: [test.id], failureMessage: result.failureMessage, nrOfTests: at + 1 };
  }
  return { status: 'survived', nrOfTests: chosen.length };
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

/** Tests get the stand-in; what is loaded once more gets another address each time. */
function resolved(specifier, context, next) {
  if (specifier === 'node:test') return { url: standIn, shortCircuit: true };
  const found = next(specifier, context);
  const isOurs = found.url.endsWith('.ts') && !found.url.includes('/node_modules/');
  return loads > 0 && isOurs ? { ...found, url: `${found.url}?load=${loads}` } : found;
}

function createRunner(options) {
  registerHooks({ resolve: resolved });
  return new Runner(options);
}
createRunner.inject = ['options'];

export const strykerValidationSchema = {
  properties: {
    inProcess: {
      description: 'What is loaded, tests among it; what stands in the names of tests that are left out.',
      properties: {
        files: { type: 'array', items: { type: 'string' } },
        leaveOut: { type: 'array', items: { type: 'string' } },
      },
    },
  },
};
export const strykerPlugins = [{ kind: 'TestRunner', name: 'in-process', factory: createRunner }];
