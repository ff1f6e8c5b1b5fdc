import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toolSession } from './session.ts';

const code = Array.from({ length: 30 }, (_, index) => `export const value${index} = ${index};\n`).join('');

/** Reads a file, then replaces it by content that has this line in it. */
async function rewrite(line: string, { path = 'a.ts', present = code } = {}) {
  await using session = await toolSession({ files: { [path]: present } });
  await session.call('read', { path });
  const content = `first\n${line}\nlast\n`;
  const result = await session.call('write', { path, content });
  const after = (await session.workspace.read(path)).toString();
  assert.equal(after, result.outcome === 'ok' ? content : present);
  return result;
}

describe('a line that stands for left-out code is refused', () => {
  for (const line of [
    '// ... rest of the file unchanged',
    '# existing code here',
    '<!-- unchanged -->',
    '/* ... */ remains the same',
    '/* ... remains the same */',
    '// ... existing code ...',
    '  // ...existing code...',
    '// rest of code remains the same',
    '# ... rest of the implementation',
    '// [rest of the file remains unchanged]',
    '// The rest of the file stays the same.',
    '/* rest of styles unchanged */',
    ' * ... rest of the class unchanged',
    '<!-- rest of the HTML remains the same -->',
    '{/* ... existing JSX ... */}',
    '{/* rest of the component unchanged */}',
    '{{!-- rest of the template unchanged --}}',
    '{# existing template code here #}',
    '<%# rest of the page unchanged %>',
    '<# rest of script unchanged #>',
    '(* rest of the module unchanged *)',
    '-- rest of the query unchanged',
    '-- ... remaining rows omitted for brevity',
    '; rest of the config as before',
    '% rest of the document unchanged',
    "' existing code here",
    'REM existing code here',
    '"""... existing code ..."""',
    '// other methods remain unchanged',
    '// ... other methods ...',
    '// keep existing code',
    '// keep the rest of the file as is',
    '// Keep everything else the same',
    '# (rest of the code omitted for brevity)',
    '// code omitted for brevity',
    '// ... (previous implementation) ...',
    '// implementation remains the same',
    '// unchanged',
    '# no changes below',
    '// everything else remains the same',
    '// Copy the rest of the file here',
    '// Your existing code here',
    '// ... same as before',
    '// ... snip ...',
    '[rest of file unchanged]',
    '... rest of the file unchanged ...',
    '… rest of the document unchanged …',
    '(existing content unchanged)',
    'function foo() { /* ... existing code ... */ }',
    'export const a = 1; // ... rest of the file unchanged',
    '// ...',
    '# ...',
    '/* ... */',
  ]) {
    test(line, async () => {
      const result = await rewrite(line);
      assert.equal(result.outcome, 'error');
      assert.match(result.text, /^a\.ts: line 2 of `content` seems to stand for code that was left out: “/);
      assert.ok(result.text.includes(`“${line.trim()}”`));
      assert.match(result.text, /nothing was written\. Send the file whole, or change only what differs with edit\./);
    });
  }

  test('in prose too, where it is marked as no part of the text', async () => {
    for (const line of ['<!-- rest of the document unchanged -->', '[... rest of the document unchanged ...]']) {
      assert.equal((await rewrite(line, { path: 'README.md' })).outcome, 'error', line);
    }
  });

  test('the first one is named by its line', async () => {
    await using session = await toolSession({ files: { a: code } });
    await session.call('read', { path: 'a' });
    const content = `one\r\n\r\n# existing code here\r\n# ...\r\n`;
    assert.match(
      (await session.call('write', { path: 'a', content })).text,
      /line 3 of `content`.*“# existing code here”/,
    );
  });
});

describe('what only looks like it is written', () => {
  for (const line of [
    'def f(): ...',
    '...',
    '    ...',
    '@overload',
    'x = [...rest]',
    'return { ...existing, code }',
    '...rest,',
    '...existingCode',
    'const [first, ...rest] = list;',
    'foo(...args); // spread the rest',
    '// the rest of the arguments are passed on',
    '// the rest of the file is read lazily',
    '// rest of the world',
    '// the rest is silence',
    '// wait for it...',
    '// Loading...',
    '# other imports',
    '// Other methods',
    '// methods',
    '// the value remains the same after rounding',
    '// fields unchanged by the migration',
    '// unchanged since 2019',
    '// existing users are kept',
    '// existing file',
    '// keep existing files',
    '# Keep existing tests passing',
    '// same as above',
    '// See the code below',
    '// The code below is generated',
    '// all tests below run in order',
    '// code here is generated',
    '// Imports go here',
    '// previous implementation was slow',
    '// original implementation',
    '// left out on purpose: see the issue',
    '// TODO: implement the rest',
    'expect(a).toBe(1); // unchanged',
    'const s = "// rest of the file unchanged";',
    "'// ... rest of the file unchanged',",
    'print("... existing code ...")',
    'type A = { /* opaque */ }',
    'case Unchanged:',
    'url: http://example.com/rest',
    '[existing-code]',
    '(see below)',
    '# -*- coding: utf-8 -*-',
    '#!/bin/sh',
    '--',
  ]) {
    test(line, async () => assert.equal((await rewrite(line)).outcome, 'ok'));
  }

  test('prose, and examples in it', async () => {
    for (const line of [
      'The rest of the file is unchanged.',
      'Wait... the rest of the file is read later.',
      '# Existing code',
      '## Rest of the document',
      '* existing code',
      '# ...',
      '// ...',
      'Dots … and more dots ...',
    ]) {
      assert.equal((await rewrite(line, { path: 'README.md' })).outcome, 'ok', line);
    }
  });

  test('a line that the file has already, however it is indented', async () => {
    const present = `${code}\t# existing code here\n`;
    assert.equal((await rewrite('# existing code here', { present })).outcome, 'ok');
    assert.equal((await rewrite('# existing code', { present })).outcome, 'error');
  });

  test('dots alone, where no line is lost', async () => {
    assert.equal((await rewrite('// ...', { present: 'a\nb\nc\n' })).outcome, 'ok');
    assert.equal((await rewrite('// ...', { present: 'a\nb\nc\nd\n' })).outcome, 'error');
  });

  test('in a new file, and by an edit', async () => {
    await using session = await toolSession({ files: { a: 'one\n' } });
    assert.equal((await session.call('write', { path: 'b', content: '# existing code here\n' })).outcome, 'ok');
    await session.call('read', { path: 'a' });
    assert.equal((await session.call('edit', { path: 'a', old: 'one', new: '# existing code here' })).outcome, 'ok');
    assert.equal((await session.call('write', { path: 'a', content: '# existing code here\n\n' })).outcome, 'ok');
  });

  test('lines of any length are looked at in bounded time', async () => {
    const started = performance.now();
    for (const line of [
      `// ${'the '.repeat(40)}`,
      `// ${'all the '.repeat(20)}rest of ${'the '.repeat(20)}`,
      `// keep ${'is are was '.repeat(15)}`,
      `/*${'*'.repeat(150)}`,
      '/* '.repeat(50),
      'x'.repeat(1_000_000),
      '// '.repeat(300_000),
    ]) {
      assert.equal((await rewrite(line)).outcome, 'ok', line.slice(0, 50));
    }
    assert.ok(performance.now() - started < 10_000);
  });
});
