import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { editLinesTool } from '../../src/tools/builtin/edit-lines/index.ts';
import { readTool } from '../../src/tools/builtin/read/index.ts';
import { lineName, linesOfDocument, openDocument } from '../../src/tools/edits/index.ts';
import { holds, patience } from '../support/property.ts';
import { changesOf, faultOf, sample, type LineChange } from './patch-files.ts';
import { toolSession } from './session.ts';

const lineCount = 13;
const seeded = fc.tuple(...Array.from({ length: lineCount }, (_, lines) => changesOf(lines)));

/** A change as an edit of named lines; `ended`: the text ends with a line end. */
function editOf(texts: readonly string[], { from, to, lines }: LineChange, ended: boolean) {
  const isEnded = ended || lines.at(-1) === '';
  const text = lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : '');
  const name = (number: number) => lineName(number, texts[number - 1] ?? '');
  if (from === to) return { after: from === 0 ? '0' : name(from), text };
  return { from: name(from + 1), ...(to > from + 1 && { to: name(to) }), text };
}

test('edits of named lines give the same bytes as worked out by hand', { timeout: patience }, async (context) => {
  let applied = 0;
  const cases = fc.tuple(fc.boolean().chain(sample), seeded, fc.boolean(), fc.boolean());
  await holds(context, cases, 250, async ([file, all, ended, reversed]) => {
    const document = await openDocument(file.bytes);
    if ('problem' in document) return;
    const { texts } = linesOfDocument(document);
    const changes = all[texts.length] ?? [];
    if (changes.length === 0) return;
    const edits = changes.map((change) => editOf(texts, change, ended));
    await using session = await toolSession({ files: { a: file.bytes }, tools: [readTool, editLinesTool] });
    await session.call('read', { path: 'a' });
    const result = await session.call('edit_lines', { path: 'a', edits: reversed ? edits.toReversed() : edits });
    const after = await session.workspace.read('a');
    if (result.outcome !== 'ok') {
      assert.match(
        result.text,
        /Nothing would change|inside a character/,
        JSON.stringify([file.name, edits, result.text]),
      );
      assert.deepEqual(after, file.bytes);
      return;
    }
    applied += 1;
    assert.equal(
      faultOf(file.bytes, changes, after),
      undefined,
      JSON.stringify([file, edits, after.toString('latin1')]),
    );
  });
  assert.ok(applied > 80, `only ${applied} were applied`);
});

test('a name with another tag never changes anything', { timeout: patience }, async (context) => {
  const tag = fc.string({ unit: fc.constantFrom('0', '7', '9', 'a', 'h', 'k', 'z'), minLength: 1, maxLength: 4 });
  const cases = fc.tuple(sample(true), fc.integer({ min: 1, max: 15 }), tag, fc.constantFrom('from', 'after'));
  await holds(context, cases, 100, async ([file, number, wrong, key]) => {
    const document = await openDocument(file.bytes);
    if ('problem' in document) return;
    const { texts } = linesOfDocument(document);
    const name = `${number}:${wrong}`;
    if (lineName(number, texts[number - 1] ?? '') === name && number <= texts.length) return;
    await using session = await toolSession({ files: { a: file.bytes }, tools: [readTool, editLinesTool] });
    await session.call('read', { path: 'a' });
    const result = await session.call('edit_lines', { path: 'a', edits: [{ [key]: name, text: 'x' }] });
    assert.equal(result.outcome, 'error');
    assert.deepEqual(await session.workspace.read('a'), file.bytes);
  });
});
