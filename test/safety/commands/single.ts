/** Simple commands as a grammar would hand them to the table: words with quotes and escapes, no expansions but `$x` that isn't known. */
import { describe, type Findings, type Invocation, type Place, type Word } from '../../../src/safety/programs/index.ts';

const escaped = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs;

function wordOf(source: string): Word {
  const text = source.replace(escaped, (_, single, double, one) =>
    String(single ?? double?.replace(/\\([\\"$`])/g, '$1') ?? one),
  );
  if (/\$\w/.test(source.replace(/'[^']*'/g, '')))
    return { source, text: null, prefix: text.slice(0, text.indexOf('$')) };
  const isPattern = /[*?[]/.test(source.replace(escaped, '')) && source !== '[' && source !== '[[';
  return { source, text, ...(isPattern && { isPattern }) };
}

/** Words of a simple command. */
export function wordsOf(line: string): Word[] {
  return (line.match(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gs) ?? []).map(wordOf);
}

const place: Place = {
  folder: '/w',
  workspace: '/w',
  home: '/home/u',
  git: (folder) => ({
    aliases: { co: 'checkout', last: 'log -1 HEAD', wipe: '!rm -rf .', pushy: 'push --force' },
    ...(folder.startsWith('/w/odd') && { runs: 'core.fsmonitor' }),
  }),
  scripts: () => ({ test: 'node --test', build: 'rm -rf dist', prebuild: 'echo before' }),
};

export function describeLine(line: string, more: Partial<Invocation> = {}): Findings {
  const words = wordsOf(line);
  return describe(
    { words, assignments: [], redirections: [], input: { from: 'elsewhere' }, folder: '/w', ...more },
    place,
  );
}
