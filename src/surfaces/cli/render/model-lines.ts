/** The models that can be used, and why others can't, as lines. */
import { grouped, type ModelRow, type ModelsReport, type ProviderRow, type RouteRow } from '../../../harness/index.ts';
import { clip, oneLine, pad, widthOf } from '../printable.ts';
import type { Style } from './style.ts';

/** With `isAll` also the models of providers that can't be used. */
export function modelLines(report: ModelsReport, isAll: boolean, style: Style): string[] {
  return [...chosenLines(report, style), '', ...report.providers.flatMap((row) => providerLines(row, isAll, style))];
}

function chosenLines({ model, problem, routes }: ModelsReport, style: Style): string[] {
  const lines = model === undefined ? [] : [`model   ${named(model)}`, `        ${style.dim(oneLine(model.because))}`];
  const wrong = problem === undefined ? [] : [`${style.bad('✗')} ${oneLine(problem)}`];
  return [...lines, ...wrong, ...routes.map((route) => `route   ${named(route)}: ${conditions(route)}`)];
}

function named({ name, settings }: Pick<RouteRow, 'name' | 'settings'>): string {
  const set = Object.entries(settings).map(([key, value]) =>
    typeof value === 'object' ? `${key} of its own` : `${key} ${String(value)}`,
  );
  return oneLine([name, ...(set.length === 0 ? [] : [`(${set.join(', ')})`])].join(' '));
}

function conditions({ when: { failure, tries, role, effort, costAbove } }: RouteRow): string {
  const words = [
    ...(role === undefined ? [] : [`for ${role}`]),
    ...(effort === undefined ? [] : [`at effort ${effort.join(' or ')}`]),
    ...(costAbove === undefined ? [] : [`above ${costAbove} dollars`]),
    ...(failure === undefined ? [] : [`after a failure: ${failure.join(', ')}`]),
    ...(tries === undefined ? [] : [`after ${tries} tries`]),
  ];
  return words.length === 0 ? 'after any failure that another model may not have' : words.join(', ');
}

function providerLines({ name, usable, detail, models }: ProviderRow, isAll: boolean, style: Style): string[] {
  const head = `${usable ? style.good('✓') : style.bad('✗')} ${pad(oneLine(name), 12)}${oneLine(detail)}`;
  if (!usable && !isAll) return [head];
  const nameWidth = Math.max(0, ...models.map((model) => widthOf(oneLine(model.name))));
  return [head, ...models.map((model) => clip(`    ${modelLine(model, nameWidth)}`, style.width))];
}

function modelLine({ name, window, maxOutput, rates, unpriced, assumed }: ModelRow, nameWidth: number): string {
  const size = `${grouped(window).padStart(9)} in ${grouped(maxOutput).padStart(7)} out`;
  const price =
    rates === undefined
      ? `no rate${unpriced === undefined ? '' : `: ${oneLine(unpriced)}`}`
      : `$${rates.input} in $${rates.output} out a million, ${oneLine(rates.dated)}`;
  const guessed = assumed.length === 0 ? '' : `; assumed: ${oneLine(assumed.join(', '))}`;
  return `${pad(oneLine(name), nameWidth)}  ${size}  ${price}${guessed}`;
}
