// Stands in for `node:test` where mutants are tried: it keeps the tests, so that they can be run again and again in one process.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const path = [];
/** Of the files that are being loaded. */
let loading;

export function test(name, ...rest) {
  const full = [...path, name].join(' > ');
  if (loading.leaveOut.some((text) => full.includes(text))) return;
  const { tests } = loading;
  let id = full;
  for (let count = 2; tests.has(id); count += 1) id = `${full} (${count})`;
  tests.set(id, { id, file: resolve(path[0]), body: rest.at(-1), time: 0, kills: 0 });
}

export function describe(name, ...rest) {
  path.push(name);
  rest.at(-1)();
  path.pop();
}

export function after(close) {
  loading.closers.push(close);
}

/** The tests by their names, which begin with those of their files; `close` ends what they have opened. */
export async function loadTests({ files, leaveOut }) {
  const closers = [];
  loading = { tests: new Map(), closers, leaveOut };
  const { tests } = loading;
  path.length = 0;
  for (const file of files) {
    path.push(file);
    await import(pathToFileURL(resolve(file)).href);
    path.pop();
  }
  return { tests, close: () => Promise.all(closers.map((close) => close())) };
}
