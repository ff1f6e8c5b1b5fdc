/** What a map shows of a repository, and what it leaves out, in words. */
import { grouped, type MapReport } from '../../../harness/index.ts';
import { oneLine } from '../printable.ts';

type LeftOut = MapReport['leftOut'][number];

const reasons: { readonly [W in LeftOut['why']]: string } = {
  denied: 'may not be read',
  many: 'beyond the most that are looked at',
  late: 'not looked at in time',
  large: 'larger than 256 KiB',
  binary: 'not text',
  generated: 'lines as machines write them',
  unparsed: 'could not be parsed in time',
  unreadable: 'can’t be read',
  gone: 'gone meanwhile',
};

export function mapNotes({ paths, symbols, all, tokens, budget, leftOut, incomplete }: MapReport): string[] {
  if (all.symbols === 0)
    return ['No symbols: there is no source in a language that is known here.', ...whyOf(leftOut, incomplete)];
  const shown = `${grouped(symbols)} of ${grouped(all.symbols)} symbols, ${grouped(paths.length)} of ${grouped(all.files)} files`;
  return [`${shown}; about ${grouped(tokens)} of ${grouped(budget)} tokens.`, ...whyOf(leftOut, incomplete)];
}

function whyOf(leftOut: readonly LeftOut[], incomplete: string | undefined): string[] {
  const lines = leftOut.map(({ why, files, some }) => {
    const named = some.map((path) => oneLine(path)).join(', ');
    return `left out, ${reasons[why]}: ${grouped(files)}${named === '' ? '' : ` (${named}${files > some.length ? ', ...' : ''})`}`;
  });
  return incomplete === undefined ? lines : [...lines, `not all was found: ${oneLine(incomplete)}`];
}
