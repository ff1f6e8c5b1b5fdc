/** Scripts of packages: their text is known, so it counts. */
import { applyOptions, placeWords } from '../apply.ts';
import type { Word } from '../invocation.ts';
import { gives, parseOptions } from '../options.ts';
import type { Report } from '../report.ts';
import type { Call } from './call.ts';

/** `npm run NAME`; without a name it lists. */
export function npmScript({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const [script, ...given] = parsed.words;
  if (script !== undefined) runScript(report, script, name, given);
}

/** `npm test`, `npm start`: the script has the name of the sub-command. */
export function npmNamed({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const alias = name.split(' ').at(-1) ?? '';
  const script = alias === 't' || alias === 'tst' ? 'test' : alias;
  runScript(report, { source: script, text: script }, name, parsed.words);
}

/** Scripts of the same name with `pre` and `post` run around it; words behind it are added to its text. */
function runScript(report: Report, script: Word, name: string, given: Word[]): void {
  report.effect('execute', `${name} runs a script of the package`);
  // For some of these managers it may be a file or an address as well.
  report.findings.programs.push(script);
  const { folder } = report;
  if (script.text === null || script.isPattern === true) return report.script(null, name);
  const scripts = folder === null ? undefined : report.place.scripts(folder);
  if (scripts === undefined) return report.doubt(`the script ${script.text} isn’t known`);
  const text = Object.hasOwn(scripts, script.text) ? scripts[script.text] : undefined;
  if (text === undefined) return report.doubt(`package.json has no script ${script.text}`);
  const words = (given[0]?.text === '--' ? given.slice(1) : given).map(({ text }) => text);
  for (const part of [`pre${script.text}`, script.text, `post${script.text}`]) {
    const known = Object.hasOwn(scripts, part) ? scripts[part] : undefined;
    if (known === undefined) continue;
    const isWhole = part !== script.text || words.length === 0;
    const added = words.includes(null) ? null : [known, ...words.map((word) => quoted(word ?? ''))].join(' ');
    report.script(isWhole ? known : added, `${name} ${part}`);
  }
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const telling = ['-q', '--query', '-V', '--verify', '--version'];

/** `rpm -q` and `-V` tell, everything else installs or removes. */
export function rpm({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  const [first] = parsed.options;
  const tells = gives(parsed, ...telling) && [...telling, '-a'].includes(first?.name ?? '');
  if (!tells)
    for (const effect of ['execute', 'write', 'network'] as const) report.effect(effect, 'rpm installs packages');
  const given = parsed.options.map((option) => option.name);
  if (given.some((option) => /^(-V|--verify)$/.test(option)) && given.some((option) => /^(-p|--package)$/.test(option)))
    report.effect('execute', 'rpm runs the script in the package that verifies it');
  applyOptions(report, program, name, parsed);
  for (const word of parsed.words) if (/^\w+:\/\//.test(word.text ?? word.prefix ?? '')) report.word('url', word, name);
  placeWords(report, '...text', name, parsed.words);
}
