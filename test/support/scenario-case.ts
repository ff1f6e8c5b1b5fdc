/** Reads the cases: one folder each, with variants and outputs spread out into single tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, type ParseError } from 'jsonc-parser';
import { Compile } from 'typebox/schema';
import { parseScenario, type Scenario } from '../../src/testing/index.ts';
import { caseSchema, type Case, type Output, type Variant } from './scenario-schema.ts';
import { castScenario, ways, type WireName } from './scenario-wires.ts';
import type { CaseGroup, LoadedCase, Script, Values } from './scenario-types.ts';

/** All cases below a folder. Throws for one that isn't as the schema says: a misspelt expectation would expect nothing. */
export async function loadCases(root: string): Promise<CaseGroup[]> {
  const names = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return Promise.all(names.map(({ name }) => loadGroup(root, name)));
}

const check = Compile(caseSchema);

async function loadGroup(root: string, name: string): Promise<CaseGroup> {
  const folder = join(root, name);
  const read = parseCase(readFileSync(join(folder, 'case.json'), 'utf8'), `${name}/case.json`);
  const script = existsSync(join(folder, 'script.ts'))
    ? ((await import(pathToFileURL(join(folder, 'script.ts')).href)) as Script)
    : {};
  const file = join(folder, 'scenario.json');
  const ordinary = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Scenario) : undefined;
  const { title, through, skips = {}, variants = { '': {} }, ...common } = read;
  const trials = Object.entries(variants).flatMap(([variant, changed]) => {
    return trialsOf(through, common, changed).map((trial) => ({ ...trial, variant }));
  });
  const loaded = trials.map(async ({ variant, wire, isAlone, output, parts, needs }): Promise<LoadedCase> => {
    const label = variant === '' ? title : `${title}: ${variant}`;
    const place = isAlone ? label : `${label}, on ${wire}`;
    const scenario = castScenario(await scenarioOf(parts, ordinary, `${name}/scenario`), wire);
    return {
      title: through === 'harness' ? place : `${place} (${output})`,
      folder,
      through,
      output,
      wire,
      needs,
      scenario,
      parts,
      values: { model: ways[wire].model, ...parts.values },
      filled: (all) => fillIn(parts, all) as Variant,
      script,
    };
  });
  return { title, through, cases: await Promise.all(loaded), skips };
}

interface Trial {
  wire: WireName;
  /** There is no other wire. */
  isAlone: boolean;
  output: Output;
  parts: Variant;
  needs: readonly string[];
}

/** Each wire, and on it each output. */
function trialsOf(through: Case['through'], common: Variant, changed: Variant): Trial[] {
  const { wires = ['anthropic'], outputs = ['text'], otherOutputs = outputs } = { ...common, ...changed };
  const needs = [...(common.needs ?? []), ...(changed.needs ?? [])];
  return wires.flatMap((wire, index) => {
    const parts = [common, common.on?.[wire], changed, changed.on?.[wire]].reduce<Variant>(merged, {});
    const written = through === 'harness' ? (['text'] as const) : index === 0 ? outputs : otherOutputs;
    return written.map((output) => ({ wire, isAlone: wires.length === 1, output, parts, needs }));
  });
}

function merged(whole: Variant, { on: _, ...changed }: Variant = {}): Variant {
  return {
    ...whole,
    ...changed,
    run: mergedRun(whole.run, changed.run),
    values: { ...whole.values, ...changed.values },
  };
}

function mergedRun(common: Variant['run'] = {}, own: Variant['run'] = {}): NonNullable<Variant['run']> {
  return { ...common, ...own, expect: { ...common.expect, ...own.expect } };
}

/** Checks the text of a case. */
export function parseCase(text: string, name: string): Case {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) throw new TypeError(`${name} isn’t JSON, at character ${errors[0]?.offset}.`);
  const [isCase, problems] = check.Errors(value);
  if (isCase) return value as Case;
  const said = problems.slice(0, 5).map(({ instancePath, message, params }) => {
    return `${instancePath === '' ? 'the case' : instancePath} ${message} ${JSON.stringify(params)}`;
  });
  throw new TypeError(`${name}: ${said.join('; ')}`);
}

async function scenarioOf(parts: Variant, ordinary: Scenario | undefined, name: string): Promise<Scenario> {
  const scenario = parts.scenario ?? ordinary ?? { turns: [{ text: 'Nobody asks.' }] };
  return parseScenario(JSON.stringify(scenario), name);
}

/** Puts the values in the place of their `${name}` in every string; names without a value stay as they are. */
export function fillIn(part: unknown, values: Values): unknown {
  if (typeof part === 'string') {
    return part.replaceAll(/\$\{(\w+)\}/g, (mark, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? mark) : mark,
    );
  }
  if (Array.isArray(part)) return part.map((item) => fillIn(item, values));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, fillIn(inner, values)]));
}
