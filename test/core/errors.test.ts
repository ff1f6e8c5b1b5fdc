import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorCatalogue, ReinsError, systemReason } from '../../src/core/index.ts';

const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');

test('the page on errors lists exactly the catalogue', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const expected = Object.entries(errorCatalogue).map(
    ([code, { class: fault, retryable, cause, wayOut }]) =>
      `| \`${code}\` | ${fault} | ${retryable ? 'yes' : 'no'} | ${cause} | ${wayOut} |`,
  );
  assert.deepEqual(rows, expected);
});

test('an error names its cause and ends with the way out', () => {
  const error = new ReinsError('workspace-missing', 'There is no folder /nowhere.');
  assert.equal(error.message, 'There is no folder /nowhere. Name an existing folder with -C.');
  assert.equal(error.class, 'usage');
});

test('the way out follows on the line of a detail, or has a line of its own after several', () => {
  const { message } = new ReinsError('config-invalid', '2 mistakes:\na:1: x\na:2: y\n');
  assert.match(message, /^a:2: y\nCorrect what is named/m);
});

test('what the system refuses is said in words, and a fault that is none of the system’s in its own', () => {
  const refused = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      return systemReason(error);
    }
  };
  assert.equal(refused('/nowhere/at/all'), 'it doesn’t exist');
  assert.equal(refused('/'), 'it is a folder');
  assert.equal(refused(`${import.meta.filename}/x`), 'it is no folder, or its path leads through a file');
  assert.equal(systemReason(new Error('it is too large')), 'it is too large');
  assert.equal(systemReason('torn'), 'torn');
});
