import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { appendedPrompt } from '../../../src/surfaces/cli/append-prompt.ts';
import { UsageError } from '../../../src/surfaces/cli/arguments.ts';
import { temporaryWorkspace } from '../../../src/testing/index.ts';

test('what is added to the prompt is a text, or what a file holds', async (t) => {
  const place = await temporaryWorkspace({ files: { 'more.md': 'From the file.\n', 'empty.md': ' \n' } });
  t.after(() => place.dispose());
  const file = (name: string) => `@${join(place.path, name)}`;
  assert.equal(await appendedPrompt('Be quick.'), 'Be quick.');
  assert.equal(await appendedPrompt('mail me@example.com'), 'mail me@example.com');
  assert.equal(await appendedPrompt('@@someone reviews'), '@someone reviews');
  assert.equal(await appendedPrompt(file('more.md')), 'From the file.\n');
  for (const wrong of ['', ' ', '@', file('missing.md'), file('empty.md'), `@${place.path}`]) {
    await assert.rejects(appendedPrompt(wrong), UsageError, wrong);
  }
  await assert.rejects(
    appendedPrompt(file('missing.md')),
    /missing\.md" of --append-prompt can’t be read: it doesn’t exist\.$/,
  );
});
