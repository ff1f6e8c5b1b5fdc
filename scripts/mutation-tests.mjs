// Stands in for `node:test` where mutants are tried: it keeps the tests, so that they can be run again and again in one process.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const tests = new Map();
const path = [];
let leaveOut = [];

export function test(name, ...rest) {
  const full = [...path, name].join(' > ');
  if (leaveOut.some((text) => full.includes(text))) return;
  let id = full;
  for (let count = 2; tests.has(id); count += 1) id = `${full} (${count})`;
  tests.set(id, { id, file: resolve(path[0]), body: rest.at(-1), time: 0, kills: 0 });
}

export function describe(name, ...rest) {
  path.push(name);
  rest.at(-1)();
  path.pop();
}

/** Loads files of tests; the name of a test begins with that of its file. */
export async function loadTests(options) {
  leaveOut = options.leaveOut;
  for (const file of options.files) {
    path.push(file);
    await import(pathToFileURL(resolve(file)).href);
    path.pop();
  }
  return tests;
}

/** What a file closes at its end stays open: its tests may run again. */
export const after = () => undefined;
