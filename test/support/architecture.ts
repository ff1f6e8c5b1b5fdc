/**
 * The rules of the house, checked over a list of modules: who may import whom, how long things may be, how they
 * may be called. The list comes from disk (`readModules`) or from memory, so that the rules can be tested too.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix, sep } from 'node:path';
import ts from 'typescript';

/** One source file; the path is relative to `src`, with forward slashes. */
export interface Module {
  path: string;
  text: string;
}

export interface Violation {
  rule: Rule;
  path: string;
  /** Counted from 1; 0 when the whole file is meant. */
  line: number;
  message: string;
}

export const RULES = [
  'direction',
  'door',
  'cycle',
  'purity',
  'environment',
  'file length',
  'function length',
  'core size',
  'name',
  'leftover',
] as const;
export type Rule = (typeof RULES)[number];

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 60;
const MAX_CORE_LINES = 3600;

const PARTS = ['session', 'model', 'context', 'tools', 'safety', 'exec', 'verify', 'map', 'config', 'observe'];
const BUILT_ON_PARTS = ['agents', 'extend', 'testing'];

/** Which areas (folders directly under src) an area may import besides itself. */
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map([
  ['core', []],
  ...PARTS.map((part): [string, string[]] => [part, ['core']]),
  ...BUILT_ON_PARTS.map((area): [string, string[]] => [area, ['core', ...PARTS]]),
  ['harness', ['core', ...PARTS, ...BUILT_ON_PARTS]],
  ['surfaces', ['harness', 'testing']],
]);

/** Packages without any I/O, which the pure core may use. */
const PURE_PACKAGES = ['typebox'];
/** Globals that do I/O, read the time or draw lots: the core gets all of that through its ports. */
const IMPURE_GLOBALS = new Set([
  'process',
  'console',
  'fetch',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'crypto',
]);
const IMPURE_CALLS = new Set(['Date.now', 'Math.random', 'AbortSignal.timeout']);

const VAGUE_NAME = /(^|[-_.])(utils?|helpers?|common|misc|managers?)$/;
const VERSION_NAME = /[-_.](v\d+|new|next)$/;
const LEFTOVER = /\b(TODO|FIXME|XXX|HACK)\b/;

interface Import {
  specifier: string;
  line: number;
  /** A module started by its address (a worker, a program) is bound by direction, but makes no cycle. */
  started: boolean;
}

interface Parsed extends Module {
  area: string;
  source: ts.SourceFile;
  imports: Import[];
}

/** Reads all code below a folder. */
export function readModules(folder: string): Module[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: file
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
      text: readFileSync(file, 'utf8'),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** All violations in a list of modules, in the order of the rules. */
export function checkArchitecture(modules: readonly Module[]): Violation[] {
  const parsed = modules.map(parse);
  const found = [
    ...parsed.flatMap((module) => [
      ...checkImports(module, parsed),
      ...checkPurity(module),
      ...checkEnvironment(module),
      ...checkLengths(module),
      ...checkName(module),
      ...checkLeftovers(module),
    ]),
    ...checkCycles(parsed),
    ...checkCoreSize(parsed),
  ];
  return found.toSorted((a, b) => RULES.indexOf(a.rule) - RULES.indexOf(b.rule));
}

function parse(module: Module): Parsed {
  const source = ts.createSourceFile(module.path, module.text, ts.ScriptTarget.Latest, true);
  const slash = module.path.indexOf('/');
  const area = slash < 0 ? '' : module.path.slice(0, slash);
  return { ...module, area, source, imports: findImports(source) };
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

function lineOf(source: ts.SourceFile, position: number): number {
  return source.getLineAndCharacterOfPosition(position).line + 1;
}

function findImports(source: ts.SourceFile): Import[] {
  const imports: Import[] = [];
  walk(source, (node) => {
    const target = importTarget(node);
    if (target === undefined) return;
    const started = ts.isNewExpression(node);
    if (started && !/^\.{1,2}\/.*\.[cm]?[jt]sx?$/.test(target)) return;
    imports.push({ specifier: target, line: lineOf(source, node.getStart(source)), started });
  });
  return imports;
}

/** The specifier of an import, export, dynamic import, import type or `new URL(...)`, if the node is one. */
function importTarget(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : undefined;
  if (ts.isCallExpression(node)) {
    const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
    const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
    return isImport || isRequire ? literal(node.arguments[0]) : undefined;
  }
  const isUrl = ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'URL';
  return isUrl ? literal(node.arguments?.[0]) : undefined;
}

function literal(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function resolve(module: Parsed, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(module.path), specifier));
}

function checkImports(module: Parsed, all: readonly Parsed[]): Violation[] {
  const allowed = ALLOWED.get(module.area);
  if (!allowed) {
    return [
      {
        rule: 'direction',
        path: module.path,
        line: 0,
        message: `src/${module.area} is no area of the house`,
      },
    ];
  }
  return module.imports.flatMap(({ specifier, line }) => {
    const fail = (rule: Rule, message: string): Violation[] => [{ rule, path: module.path, line, message }];
    if (/^(reins(\/|$)|#|\/|file:)/.test(specifier))
      return fail('direction', `import ${specifier} by its relative path`);
    if (!specifier.startsWith('.')) return [];
    const target = resolve(module, specifier);
    if (target.startsWith('../')) return fail('direction', `${specifier} lies outside src`);
    if (/\.[cm]?[jt]sx?$|\/[^.]*$/.test(target) && !all.some(({ path }) => path === target)) {
      return fail('direction', `${specifier} is no file (a specifier ends in .ts)`);
    }
    const area = target.split('/')[0] ?? '';
    if (area !== module.area && !allowed.includes(area))
      return fail('direction', `${module.area} may not import ${area}`);
    const door = closedDoor(module.path, target, all);
    return door === undefined ? [] : fail('door', `${specifier} passes by the door ${door}`);
  });
}

/** The door that an import should have used instead, if it did not use the right one. */
function closedDoor(from: string, target: string, all: readonly Parsed[]): string | undefined {
  const folders = target.split('/').slice(0, -1);
  const entered = folders
    .map((_, depth) => folders.slice(0, depth + 1).join('/'))
    .filter((folder) => !from.startsWith(`${folder}/`));
  const doors = entered.map((folder) => `${folder}/index.ts`);
  // The outermost folder with a door decides; a folder that only groups others needs none.
  const isArea = entered[0] === folders[0];
  const first = isArea ? doors[0] : doors.find((door) => all.some(({ path }) => path === door));
  const expected = first ?? doors.at(-1);
  return expected === undefined || expected === target ? undefined : expected;
}

/** Groups of modules that import each other in a ring, found with Tarjan's algorithm. */
function checkCycles(all: readonly Parsed[]): Violation[] {
  const byPath = new Map(all.map((module) => [module.path, module]));
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: Violation[] = [];

  const visit = (module: Parsed): number => {
    const index = order.size;
    order.set(module.path, index);
    low.set(module.path, index);
    stack.push(module.path);
    for (const target of importedModules(module, byPath)) {
      if (!order.has(target.path)) low.set(module.path, Math.min(low.get(module.path)!, visit(target)));
      else if (stack.includes(target.path))
        low.set(module.path, Math.min(low.get(module.path)!, order.get(target.path)!));
    }
    if (low.get(module.path) === index) {
      const ring = stack.splice(stack.indexOf(module.path));
      const isRing = ring.length > 1 || importedModules(module, byPath).includes(module);
      if (isRing) found.push({ rule: 'cycle', path: module.path, line: 0, message: `cycle of ${ring.join(', ')}` });
    }
    return low.get(module.path)!;
  };
  for (const module of all) if (!order.has(module.path)) visit(module);
  return found;
}

function importedModules(module: Parsed, byPath: ReadonlyMap<string, Parsed>): Parsed[] {
  return module.imports
    .filter(({ specifier, started }) => specifier.startsWith('.') && !started)
    .flatMap(({ specifier }) => byPath.get(resolve(module, specifier)) ?? []);
}

function checkPurity(module: Parsed): Violation[] {
  if (module.area !== 'core') return [];
  const found: Violation[] = [];
  const fail = (line: number, message: string) => found.push({ rule: 'purity', path: module.path, line, message });
  for (const { specifier, line } of module.imports) {
    const isPure = PURE_PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    if (isBuiltin(specifier)) fail(line, `core may not import ${specifier}`);
    else if (!specifier.startsWith('.') && !isPure) fail(line, `core may not import the package ${specifier}`);
  }
  walk(module.source, (node) => {
    const name = impureName(node);
    if (name !== undefined) fail(lineOf(module.source, node.getStart(module.source)), `core may not use ${name}`);
  });
  return found;
}

function impureName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const text = node.getText();
    return IMPURE_CALLS.has(text) || text.startsWith('globalThis.') ? text : impureRoot(node.expression);
  }
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) return 'new Date()';
  return ts.isCallExpression(node) ? impureRoot(node.expression) : undefined;
}

function impureRoot(node: ts.Expression): string | undefined {
  return ts.isIdentifier(node) && IMPURE_GLOBALS.has(node.text) ? node.text : undefined;
}

function checkEnvironment(module: Parsed): Violation[] {
  if (module.area === 'config') return [];
  const found: Violation[] = [];
  walk(module.source, (node) => {
    if (!readsEnvironment(node)) return;
    const line = lineOf(module.source, node.getStart(module.source));
    found.push({
      rule: 'environment',
      path: module.path,
      line,
      message: 'process.env is read only in src/config',
    });
  });
  return found;
}

function readsEnvironment(node: ts.Node): boolean {
  const isProcess = (expression: ts.Node | undefined) =>
    expression !== undefined && /(^|\.)process$/.test(expression.getText());
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'env' && isProcess(node.expression);
  if (ts.isElementAccessExpression(node))
    return literal(node.argumentExpression) === 'env' && isProcess(node.expression);
  if (ts.isVariableDeclaration(node))
    return ts.isObjectBindingPattern(node.name) && isProcess(node.initializer) && bindsEnv(node.name);
  const isImport = ts.isImportDeclaration(node) && /^(node:)?process$/.test(literal(node.moduleSpecifier) ?? '');
  const names = isImport ? node.importClause?.namedBindings : undefined;
  return (
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.some((name) => (name.propertyName ?? name.name).text === 'env')
  );
}

function bindsEnv(pattern: ts.ObjectBindingPattern): boolean {
  return pattern.elements.some((element) => (element.propertyName ?? element.name).getText() === 'env');
}

function checkLengths(module: Parsed): Violation[] {
  const found: Violation[] = [];
  const lines = countLines(module.text);
  if (lines > MAX_FILE_LINES) {
    found.push({
      rule: 'file length',
      path: module.path,
      line: 0,
      message: `${lines} lines, at most ${MAX_FILE_LINES}`,
    });
  }
  walk(module.source, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const first = lineOf(module.source, node.getStart(module.source));
    const length = lineOf(module.source, node.end) - first + 1;
    if (length <= MAX_FUNCTION_LINES) return;
    const name = node.name?.getText() ?? 'a function without a name';
    const message = `${name} has ${length} lines, at most ${MAX_FUNCTION_LINES}`;
    found.push({ rule: 'function length', path: module.path, line: first, message });
  });
  return found;
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function checkCoreSize(all: readonly Parsed[]): Violation[] {
  const lines = all
    .filter(({ area }) => area === 'core')
    .reduce((sum, module) => sum + countCodeLines(module.source), 0);
  if (lines < MAX_CORE_LINES) return [];
  return [{ rule: 'core size', path: 'core', line: 0, message: `${lines} lines of code, under ${MAX_CORE_LINES}` }];
}

/** Lines that hold code: neither blank nor comment alone. */
export function countCodeLines(source: ts.SourceFile): number {
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(source);
    for (const child of children) visit(child);
    if (children.length > 0 || node.getWidth(source) === 0) return;
    const last = lineOf(source, node.end);
    for (let line = lineOf(source, node.getStart(source)); line <= last; line++) lines.add(line);
  };
  visit(source);
  return lines.size;
}

function checkName(module: Parsed): Violation[] {
  const names = module.path
    .split('/')
    .map((name, depth, all) => (depth === all.length - 1 ? name.replace(/(\.d)?\.[cm]?[jt]sx?$/, '') : name));
  return names
    .filter((name) => VAGUE_NAME.test(name) || VERSION_NAME.test(name))
    .map((name) => ({
      rule: 'name',
      path: module.path,
      line: 0,
      message: `"${name}" says nothing: name the one thing in it`,
    }));
}

function checkLeftovers(module: Parsed): Violation[] {
  return module.text.split('\n').flatMap((text, index): Violation[] => {
    const word = LEFTOVER.exec(text)?.[1];
    return word === undefined ? [] : [{ rule: 'leftover', path: module.path, line: index + 1, message: word }];
  });
}
