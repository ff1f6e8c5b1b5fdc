/** What a cache had of each request, as a table for people. */
import { grouped, plural, type CacheReport, type CacheRow, type CacheTotals } from '../../../harness/index.ts';
import { clip, oneLine } from '../printable.ts';
import { dollars } from './amounts.ts';
import type { Style } from './style.ts';
import { nothing, percent, tableLines, wrapped } from './table.ts';

const header = ['request', 'turn', 'prefix', 'uncached', 'cached', 'written', 'hits', 'cost'];

/** The table with what is to be said of single requests below each, and the totals. Without requests one line says so. */
export function cacheLines({ requests, totals, damaged }: CacheReport, style: Style): string[] {
  const lost =
    damaged === 0 ? [] : [style.bad(`${plural(damaged, 'line')} can’t be read: what was in them is missing here`)];
  if (requests.length === 0) return ['No request has been made.', ...lost];
  const [head = '', ...table] = tableLines([header, ...requests.map(cellsOf)], style.width);
  const lines = requests.flatMap((row, at) => [
    ...modelLines(row, requests[at - 1]).map((line) => clip(line, style.width)),
    table[at] ?? '',
    ...notesOn(row).map((note) => style.warn(clip(`    ${oneLine(note)}`, style.width))),
  ]);
  return [style.dim(head), ...lines, '', ...totalLines(totals).flatMap((line) => wrapped(line, style.width)), ...lost];
}

function cellsOf(row: CacheRow): string[] {
  const { number, turn, attempt, usage } = row;
  return [
    `  ${number}`,
    attempt > 1 ? `${turn}, try ${attempt}` : String(turn),
    prefixText(row),
    ...[usage?.input, usage?.cacheRead, usage?.cacheWrite].map((tokens) => counted(tokens)),
    row.hits === undefined ? nothing : percent(row.hits),
    costText(row),
  ];
}

function prefixText({ prefix, before, number }: CacheRow): string {
  if (prefix === 'first') return 'first';
  return before === undefined || before === number - 1 ? prefix : `${prefix} ${before}`;
}

function counted(tokens: number | undefined): string {
  return tokens === undefined ? nothing : grouped(tokens);
}

function costText({ outcome, cost, estimated }: CacheRow): string {
  if (outcome === 'none') return 'no answer';
  if (cost === undefined) return nothing;
  return `${estimated === true ? '~' : ''}${dollars(cost)}`;
}

/** The model is said where it changes. */
function modelLines({ model, route }: CacheRow, before: CacheRow | undefined): string[] {
  if (before?.model === model) return [];
  const why = route === undefined ? '' : ` (${route.because})`;
  return [oneLine(`to ${model}${why}`)];
}

function notesOn({ prefix, broke, outcome, leftOut = [] }: CacheRow): string[] {
  return [
    ...(broke === undefined ? [] : [breakText(broke)]),
    ...(prefix === 'unknown' ? ['the bytes of the request before it could not be had'] : []),
    ...(outcome === 'failure' ? ['the attempt failed'] : []),
    ...leftOut.map(({ tool, why }) => `the tool ${tool} is not offered: ${why}`),
  ];
}

function breakText({ part, at, of, tokens, cost, compaction }: NonNullable<CacheRow['broke']>): string {
  const because = compaction === undefined ? '' : `after a compaction (${compaction}) `;
  if (at === undefined) return `${because}broke in ${part}`;
  const lost = tokens === undefined ? '' : `, ~${grouped(tokens)} tokens lost`;
  const price = cost === undefined ? '' : `, at most ~${dollars(cost)}`;
  return `${because}broke at byte ${grouped(at)}, ${of ?? part}${lost}${price}`;
}

function totalLines({
  requests,
  extends: extended,
  broke,
  unknown,
  reported,
  lost,
  cost,
  asides,
}: CacheTotals): string[] {
  const strange = unknown === 0 ? '' : `, ${grouped(unknown)} can’t be compared`;
  return [
    `${plural(requests, 'request')}: ${grouped(extended)} extend the one before, ${grouped(broke)} broke it${strange}`,
    hitsText(reported, requests),
    ...(broke === 0 ? [] : [lossText(lost)]),
    costOfAll(cost),
    ...(broke === 0 ? [] : withoutBreaks(cost, lost)),
    ...(asides.questions === 0 ? [] : [asidesText(asides)]),
  ];
}

function costOfAll({ known, estimated, unpriced: count }: CacheTotals['cost']): string {
  if (known === 0 && count > 0) return `cost: unknown${unpriced(count, 'request')}`;
  const guessed = estimated > 0 ? ` (of that ~${dollars(estimated)} estimated)` : '';
  return `cost: ${dollars(known)}${guessed}${unpriced(count, 'request')}`;
}

/** A cache may have lost the same by itself: at most so much is due to the breaks. */
function withoutBreaks({ known }: CacheTotals['cost'], { cost }: CacheTotals['lost']): string[] {
  return cost === 0 || cost > known ? [] : [`without the breaks: ~${dollars(known - cost)} at least`];
}

function asidesText({ questions, cost, unpriced: count }: CacheTotals['asides']): string {
  const price = cost === 0 && count > 0 ? 'cost unknown' : dollars(cost);
  return `beside the conversation: ${plural(questions, 'question')}, ${price}${unpriced(count, 'question')}`;
}

function hitsText({ hits, input, requests: reporting }: CacheTotals['reported'], requests: number): string {
  if (hits === undefined) return 'cache hits: not reported';
  const of = reporting === requests ? '' : `, of the ${grouped(reporting)} that reported it`;
  return `cache hits: ${percent(hits)} of ${grouped(input)} input tokens${of}`;
}

function lossText({ tokens, cost, unpriced: count }: CacheTotals['lost']): string {
  const price = cost === 0 && count > 0 ? 'cost unknown' : `at most ~${dollars(cost)}`;
  return `lost to breaks: ~${grouped(tokens)} tokens, ${price}${unpriced(count, 'break')}`;
}

function unpriced(count: number, noun: string): string {
  return count === 0 ? '' : `; ${plural(count, noun)} without a price`;
}
