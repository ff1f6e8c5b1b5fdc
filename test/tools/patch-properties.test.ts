import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { patchTool } from '../../src/tools/builtin/patch/index.ts';
import { readTool } from '../../src/tools/builtin/read/index.ts';
import { applyHunks, isProblem, linesOfDocument, openDocument, parsePatch } from '../../src/tools/edits/index.ts';
import { holds, patience } from '../support/property.ts';
import { changesOf, faultOf, patchOf, sample, type LineChange, type Sample } from './patch-files.ts';
import { toolSession } from './session.ts';

/** A file as it is shown, with changes of its lines; undefined where it isn't text. */
async function shown({ bytes }: Sample, changes: (lines: number) => LineChange[]) {
  const document = await openDocument(bytes);
  if ('problem' in document) return undefined;
  const { texts } = linesOfDocument(document);
  return { document, texts, changes: changes(texts.length) };
}

/** Changes for each number of lines that a file can have. */
const lineCount = 13;
const seeded = fc.tuple(...Array.from({ length: lineCount }, (_, lines) => changesOf(lines)));

const edited = (unique: boolean) => fc.tuple(sample(unique), seeded, fc.constantFrom<number | 'all'>(1, 2, 3, 'all'));

function changesFor(all: readonly LineChange[][]): (lines: number) => LineChange[] {
  return (lines) => all[lines] ?? [];
}

for (const unique of [true, false]) {
  const name = unique ? 'in hunks with some lines around them' : 'in one hunk of all lines, which may repeat';
  test(
    `changes of lines give the same bytes as worked out by hand, ${name}`,
    { timeout: patience },
    async (context) => {
      let applied = 0;
      await holds(context, edited(unique), 1_500, async ([file, all, around]) => {
        const open = await shown(file, changesFor(all));
        if (open === undefined || open.changes.length === 0) return;
        const patch = patchOf('a', open.texts, open.changes, unique ? around : 'all');
        const parsed = parsePatch(patch);
        assert.ok(!isProblem(parsed), JSON.stringify([patch, parsed]));
        const [operation] = parsed.operations;
        assert.ok(operation?.kind === 'update');
        const result = applyHunks(open.document, operation.hunks);
        if (isProblem(result)) {
          // What goes and what comes may be the same; a byte that may be half of a character isn’t parted from what follows.
          assert.match(
            result.problem,
            /nothing would change|inside a character/,
            JSON.stringify([file.name, patch, result]),
          );
          return;
        }
        applied += 1;
        assert.equal(
          faultOf(file.bytes, open.changes, result.bytes),
          undefined,
          JSON.stringify([file, patch, result.bytes]),
        );
      });
      assert.ok(applied > 500, `only ${applied} were applied`);
    },
  );
}

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(4),
  put: fc.constantFrom(
    '',
    '',
    ' ',
    '\n',
    '+',
    '-',
    '@@\n',
    '*** ',
    '\r',
    '*** End Patch\n',
    '*** Delete File: b\n',
    'é',
  ),
});

test(
  'a patch that was cut or changed in any place either applies or leaves all files as they are',
  { timeout: patience },
  async (context) => {
    const outcomes = new Map<string, number>();
    const cases = fc.tuple(
      sample(true),
      seeded,
      fc.constantFrom<number | 'all'>(1, 'all'),
      fc.array(mutation, { minLength: 1, maxLength: 2 }),
    );
    await holds(context, cases, 150, async ([file, all, around, mutations]) => {
      const open = await shown(file, changesFor(all));
      if (open === undefined) return;
      let patch = patchOf('a', open.texts, open.changes, around);
      for (const { at, length, put } of mutations) {
        const place = Math.floor(at * patch.length);
        patch = patch.slice(0, place) + put + patch.slice(place + length);
      }
      await using session = await toolSession({ files: { a: file.bytes, b: 'kept\n' }, tools: [readTool, patchTool] });
      const before = await session.workspace.tree();
      await session.call('read', { path: 'a' });
      const result = await session.call('apply_patch', { patch });
      outcomes.set(result.outcome, (outcomes.get(result.outcome) ?? 0) + 1);
      assert.ok(['ok', 'error', 'denied'].includes(result.outcome));
      assert.doesNotMatch(result.text, /^apply_patch failed/);
      if (result.outcome !== 'ok') assert.deepEqual(await session.workspace.tree(), before, result.text);
      else assert.ok((result.changes ?? []).length > 0);
    });
    context.diagnostic(JSON.stringify([...outcomes]));
  },
);

test('any text is read as a patch or is a problem with a reason', () => {
  const pieces = fc.constantFrom(
    '*** Begin Patch',
    '*** End Patch',
    '*** Add File: a',
    '*** Update File: b',
    '*** Move to: c',
    '*** Delete File: d',

    '@@',
    '@@ x',
    '@@x',
    '+x',
    '-x',
    ' x',
    '',
    'x',
    '*** End of File',
    '***',
    '```',
    "<<'EOF'",
    'EOF',
    '\\',
    '\r',
    ' *** End Patch',
  );
  const body = fc.array(pieces, { maxLength: 14 });
  const text = fc.tuple(body, fc.boolean()).map(([lines, whole]) => {
    return (whole ? ['*** Begin Patch', ...lines, '*** End Patch'] : lines).join('\n');
  });
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (patch) => {
      const parsed = parsePatch(patch);
      if (isProblem(parsed)) return assert.ok(parsed.problem.length > 10);
      assert.ok(parsed.operations.length > 0);
      for (const operation of parsed.operations) {
        assert.notEqual(operation.path.trim(), '');
        if (operation.kind !== 'update') continue;
        assert.ok(operation.hunks.length > 0 || operation.target !== undefined);
        for (const { lines } of operation.hunks) assert.ok(lines.some(({ sign }) => sign !== ' '));
      }
    }),
    { numRuns: 600 },
  );
});
