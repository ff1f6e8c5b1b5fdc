import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { checkArchitecture, countCodeLines, readModules, RULES, type Rule } from './support/architecture.ts';

/** The violations of modules given as path and text, as "rule path:line". */
function check(files: Record<string, string>): string[] {
  const modules = Object.entries(files).map(([path, text]) => ({ path, text }));
  return checkArchitecture(modules).map(({ rule, path, line }) => `${rule} ${path}:${line}`);
}

describe('the source keeps the rules of the house', () => {
  const modules = readModules(fileURLToPath(new URL('../src', import.meta.url)));
  const violations = checkArchitecture(modules);

  test('the scan saw modules and their imports', () => {
    assert.ok(modules.length > 0, 'no module was scanned');
    assert.ok(
      modules.some(({ text }) => text.includes('import ')),
      'no import was scanned',
    );
  });

  for (const rule of RULES) {
    test(rule, () => {
      const broken = violations
        .filter((violation) => violation.rule === rule)
        .map(({ path, line, message }) => `src/${path}:${line} ${message}`);
      assert.deepEqual(broken, []);
    });
  }
});

/** A house in which every area has a door. */
const DOORS = Object.fromEntries(
  'core session model context tools safety exec verify config observe agents extend testing harness surfaces'
    .split(' ')
    .map((area) => [`${area}/index.ts`, 'export {};\n']),
);

const importing = (specifier: string) => `import type { X } from '${specifier}';\nexport type Y = X;\n`;

describe('what the rules allow', () => {
  const allowed: [string, Record<string, string>][] = [
    ['a part imports the core', { 'model/a.ts': importing('../core/index.ts') }],
    ['agents import parts', { 'agents/a.ts': importing('../tools/index.ts') }],
    ['testing imports parts', { 'testing/a.ts': importing('../model/index.ts') }],
    [
      'the harness imports everything below',
      { 'harness/a.ts': importing('../agents/index.ts') + importing('../exec/index.ts') },
    ],
    ['a surface imports the harness', { 'surfaces/cli/main.ts': importing('../../harness/index.ts') }],
    [
      'a surface imports another by its door',
      { 'surfaces/tui/index.ts': '', 'surfaces/cli/main.ts': importing('../tui/index.ts') },
    ],
    [
      'parts and surfaces import built-ins and packages',
      { 'exec/a.ts': importing('node:fs'), 'surfaces/cli/main.ts': importing('marked') },
    ],
    ['the core imports TypeBox', { 'core/a.ts': importing('typebox') + importing('typebox/value') }],
    ['an inner door', { 'model/wires/x/index.ts': '', 'model/a.ts': importing('./wires/x/index.ts') }],
    ['an inner file imports outwards', { 'model/wires/x/index.ts': importing('../../a.ts'), 'model/a.ts': '' }],
    ['configuration reads the environment', { 'config/a.ts': 'export const home = process.env.HOME;' }],
    ['an environment of another name', { 'exec/a.ts': 'export const f = (child: { env: string }) => child.env;' }],
    [
      'data beside the code',
      { 'model/a.ts': "import rates from './rates.json' with { type: 'json' };\nexport { rates };" },
    ],
    [
      'a worker that imports its starter',
      { 'safety/a.ts': "new URL('./b.ts', import.meta.url);", 'safety/b.ts': importing('./a.ts') },
    ],
    ['the longest function and file', { 'exec/a.ts': longFunction(60) + '\n'.repeat(240) }],
    [
      'a core just under its limit',
      { 'core/a.ts': '// why\n\nlet x;\n'.repeat(10), 'core/b.ts': 'let x;\n'.repeat(280) },
    ],
    [
      'names that only contain a banned word',
      { 'model/newline.ts': '', 'tools/common-prefix.ts': '', 'exec/mischief.ts': '' },
    ],
    ['a list of things to do', { 'tools/todo.ts': 'export const todo = 1; // mkdtemp reins-XXXXXX' }],
    [
      'time as a value in the core',
      { 'core/a.ts': 'export const f = (at: number) => new Date(at); export interface P { fetch(): void }' },
    ],
  ];
  for (const [name, files] of allowed) {
    test(name, () => assert.deepEqual(check({ ...DOORS, ...files }), []));
  }
});

function longFunction(lines: number): string {
  return `export function f() {\n${'  g();\n'.repeat(lines - 2)}}\n`;
}

describe('what the rules catch', () => {
  const caught: [string, Record<string, string>, Rule, string][] = [
    ['core importing a part', { 'core/a.ts': importing('../model/index.ts') }, 'direction', 'core/a.ts:1'],
    ['a part importing another', { 'model/a.ts': importing('../tools/index.ts') }, 'direction', 'model/a.ts:1'],
    [
      'a part importing what is built on it',
      { 'exec/a.ts': importing('../testing/index.ts') },
      'direction',
      'exec/a.ts:1',
    ],
    ['agents importing extend', { 'agents/a.ts': importing('../extend/index.ts') }, 'direction', 'agents/a.ts:1'],
    [
      'the harness importing a surface',
      { 'harness/a.ts': importing('../surfaces/index.ts') },
      'direction',
      'harness/a.ts:1',
    ],
    [
      'a surface importing a part',
      { 'surfaces/cli/a.ts': importing('../../config/index.ts') },
      'direction',
      'surfaces/cli/a.ts:1',
    ],
    [
      'a surface importing the core',
      { 'surfaces/cli/a.ts': importing('../../core/index.ts') },
      'direction',
      'surfaces/cli/a.ts:1',
    ],
    [
      'an export from another part',
      { 'model/a.ts': "export * from '../tools/index.ts';" },
      'direction',
      'model/a.ts:1',
    ],
    [
      'a lazy import of another part',
      { 'model/a.ts': "\nawait import('../tools/index.ts');" },
      'direction',
      'model/a.ts:2',
    ],
    [
      'an import type of another part',
      { 'model/a.ts': "export type X = import('../tools/index.ts').X;" },
      'direction',
      'model/a.ts:1',
    ],
    [
      'a module of another part, started by its address',
      { 'model/a.ts': "new URL('../tools/index.ts', import.meta.url);" },
      'direction',
      'model/a.ts:1',
    ],
    ['an import by the name of the package', { 'model/a.ts': importing('reins/tools') }, 'direction', 'model/a.ts:1'],
    ['an import from outside src', { 'model/a.ts': importing('../../package.json') }, 'direction', 'model/a.ts:1'],
    ['an import without suffix', { 'model/b.ts': '', 'model/a.ts': importing('./b') }, 'direction', 'model/a.ts:1'],
    ['a folder that is no area', { 'shared/a.ts': '' }, 'direction', 'shared/a.ts:0'],
    ['a file beside the areas', { 'main.ts': '' }, 'direction', 'main.ts:0'],
    ['an inner file of the core', { 'core/b.ts': '', 'model/a.ts': importing('../core/b.ts') }, 'door', 'model/a.ts:1'],
    [
      'an inner door from another area',
      { 'model/wires/x/index.ts': '', 'testing/a.ts': importing('../model/wires/x/index.ts') },
      'door',
      'testing/a.ts:1',
    ],
    [
      'an inner file past its door',
      {
        'tools/builtin/x/index.ts': '',
        'tools/builtin/x/b.ts': '',
        'tools/a.ts': importing('./builtin/x/b.ts'),
      },
      'door',
      'tools/a.ts:1',
    ],
    [
      'a folder without a door',
      { 'tools/pipeline/b.ts': '', 'tools/a.ts': importing('./pipeline/b.ts') },
      'door',
      'tools/a.ts:1',
    ],
    [
      'one wire importing another from inside',
      { 'model/wires/x/b.ts': '', 'model/wires/y/a.ts': importing('../x/b.ts') },
      'door',
      'model/wires/y/a.ts:1',
    ],
    [
      'two files in a ring, by types alone',
      { 'exec/a.ts': importing('./b.ts'), 'exec/b.ts': importing('./a.ts') },
      'cycle',
      'exec/a.ts:0',
    ],
    [
      'a ring over three files',
      {
        'exec/a.ts': importing('./b.ts'),
        'exec/b.ts': importing('./c.ts'),
        'exec/c.ts': importing('./a.ts'),
      },
      'cycle',
      'exec/a.ts:0',
    ],
    ['a file that imports itself', { 'exec/a.ts': importing('./a.ts') }, 'cycle', 'exec/a.ts:0'],
    ['a built-in in the core', { 'core/a.ts': importing('node:crypto') }, 'purity', 'core/a.ts:1'],
    ['a built-in without prefix in the core', { 'core/a.ts': importing('fs/promises') }, 'purity', 'core/a.ts:1'],
    ['a package in the core', { 'core/a.ts': importing('diff') }, 'purity', 'core/a.ts:1'],
    ['the clock in the core', { 'core/a.ts': 'export const now = Date.now();' }, 'purity', 'core/a.ts:1'],
    ['the date in the core', { 'core/a.ts': 'export const now = new Date();' }, 'purity', 'core/a.ts:1'],
    ['a timer in the core', { 'core/a.ts': 'setTimeout(() => {}, 1);' }, 'purity', 'core/a.ts:1'],
    ['output in the core', { 'core/a.ts': "console.log('x');" }, 'purity', 'core/a.ts:1'],
    ['a global by its root in the core', { 'core/a.ts': "globalThis.fetch('x');" }, 'purity', 'core/a.ts:1'],
    ['the environment', { 'exec/a.ts': '\nexport const home = process.env.HOME;' }, 'environment', 'exec/a.ts:2'],
    [
      'the environment by its root',
      { 'exec/a.ts': 'export const e = globalThis.process.env;' },
      'environment',
      'exec/a.ts:1',
    ],
    ['the environment by key', { 'exec/a.ts': "export const e = process['env'];" }, 'environment', 'exec/a.ts:1'],
    [
      'the environment taken apart',
      { 'exec/a.ts': 'export const { env: e } = process;' },
      'environment',
      'exec/a.ts:1',
    ],
    [
      'the environment imported',
      { 'exec/a.ts': "import { env } from 'node:process';\nexport { env };" },
      'environment',
      'exec/a.ts:1',
    ],
    ['a long file', { 'exec/a.ts': 'let x;\n'.repeat(301) }, 'file length', 'exec/a.ts:0'],
    ['a long function', { 'exec/a.ts': longFunction(61) }, 'function length', 'exec/a.ts:1'],
    [
      'a long closure',
      { 'exec/a.ts': `\nexport const f = () => {\n${'  g();\n'.repeat(60)}};\n` },
      'function length',
      'exec/a.ts:2',
    ],
    [
      'a large core',
      Object.fromEntries(Array.from('abcdefghijklmn').map((name) => [`core/${name}.ts`, 'let x;\n'.repeat(300)])),
      'core size',
      'core:0',
    ],
    ['a vague file name', { 'exec/utils.ts': '' }, 'name', 'exec/utils.ts:0'],
    ['a vague last word', { 'exec/session-manager.ts': '' }, 'name', 'exec/session-manager.ts:0'],
    ['a vague folder', { 'exec/common/index.ts': '' }, 'name', 'exec/common/index.ts:0'],
    ['a version in a name', { 'exec/loop-v2.ts': '' }, 'name', 'exec/loop-v2.ts:0'],
    ['a new one beside the old', { 'exec/loop-new.ts': '' }, 'name', 'exec/loop-new.ts:0'],
    ['a leftover', { 'exec/a.ts': '\n// TODO: later' }, 'leftover', 'exec/a.ts:2'],
  ];
  for (const [name, files, rule, place] of caught) {
    test(name, () => assert.deepEqual(check({ ...DOORS, ...files }), [`${rule} ${place}`]));
  }
});

test('lines of code leave out comments and blanks', () => {
  const text = [
    '/** why',
    ' * so */',
    '',
    'const a = `x',
    '',
    'y`; // z',
    '  // only a comment',
    'if (a) {',
    '}',
    '',
  ].join('\n');
  assert.equal(countCodeLines(ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true)), 5);
});
