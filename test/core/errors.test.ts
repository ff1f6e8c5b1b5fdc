import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorCatalogue, ReinsError } from '../../src/core/index.ts';

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
