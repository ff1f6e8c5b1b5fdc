/** `find`: starting places, then an expression whose actions write, delete and run. */
import type { Word } from '../invocation.ts';
import { beginning, isOneWord, names } from '../options.ts';
import type { Call } from './call.ts';

const alone = new Set(
  names(
    '-a -and -o -or -not ! ( ) , -true -false -print -print0 -ls -prune -quit -empty -executable -readable -writable -nouser -nogroup ' +
      '-daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -noleaf -warn -nowarn -help -version --help --version ' +
      '-H -L -P -E -X -x -s',
  ),
);
const valued = new Set(
  names(
    '-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -mmin -mtime -newer -fstype -gid -group -ilname -iname -inum ' +
      '-ipath -iregex -iwholename -links -lname -name -path -perm -regex -samefile -size -type -uid -used -user -wholename -xtype -context ' +
      '-printf -D -f -flags -Bmin -Btime -newermt -newerat -newerct',
  ),
);
const choosing =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|type|size|empty|mindepth|[acm]min|[acm]time|newer.*|user|group|perm|inum|links|executable)$/;
const written = new Set(names('-fprint -fprint0 -fls'));
const running = new Set(names('-exec -execdir -ok -okdir'));

export function find({ report, name, words }: Call): void {
  const isExpression = (word: Word) => /^(-.+|[()!,])/.test(word.text ?? word.prefix ?? '');
  let at = 0;
  while (/^-([HLP]+|O\d)$/.test(words[at]?.text ?? '')) at++;
  const starts: Word[] = [];
  for (let word = words[at]; word !== undefined && !isExpression(word); word = words[++at]) {
    starts.push(word);
    report.path('read', word, name, true);
    const start = beginning(word);
    if ((word.text === null || word.isPattern === true) && (start === '' || /^[-(!,]/.test(start) || !isQuoted(word))) {
      report.doubt(`${word.source} could be an action of ${name}`);
    }
  }
  for (; at < words.length; at++) {
    const word = words[at];
    const action = word?.isPattern === true ? null : word?.text;
    if (action === undefined || action === null) report.doubt(`${word?.source ?? ''} could be an action of ${name}`);
    else if (alone.has(action) || /^-(O\d|newer[aBcm][aBcmt])$/.test(action)) at += action.startsWith('-newer') ? 1 : 0;
    else if (valued.has(action)) checkValue(report, words[++at], name);
    else if (action === '-delete') destroy(report, starts, name);
    else if (action === '-files0-from') at++;
    else if (written.has(action) || action === '-fprintf') {
      const target = words[++at];
      if (target !== undefined) report.path('write', target, `${name} ${action}`, false);
      if (action === '-fprintf') at++;
    } else if (running.has(action)) at = run(report, name, action, words, at + 1, starts);
    else report.doubt(`${action} is no known part of an expression of ${name}`);
  }
}

/** An unquoted value may turn into several words, and one of these into an action: no name with a dot in it is one. */
function checkValue(report: Call['report'], value: Word | undefined, name: string): void {
  if (value === undefined || isOneWord(value)) return;
  const isSafe = value.isPattern === true && /^[^-*?[]|\./.test(value.text ?? value.prefix ?? '');
  if (!isSafe) report.doubt(`${value.source} could be an action of ${name}`);
}

function isQuoted(word: Word): boolean {
  return word.isPattern === true || /^"[^"]*"$/.test(word.source);
}

function destroy(report: Call['report'], starts: Word[], name: string): void {
  const all = starts.length > 0 ? starts : [{ source: '.', text: '.' }];
  for (const start of all) report.path('destroy', start, `${name} -delete`, true);
}

/** Takes the command up to `;` or `+` and answers where it ended. */
function run(
  report: Call['report'],
  name: string,
  action: string,
  words: Word[],
  from: number,
  starts: Word[],
): number {
  let end = from;
  while (end < words.length && words[end]?.text !== ';' && !(words[end]?.text === '+' && words[end - 1]?.text === '{}'))
    end++;
  const inPlace = action.endsWith('dir');
  const [start] = starts;
  const prefix = inPlace
    ? './'
    : starts.length === 0
      ? '.'
      : starts.length === 1 && start !== undefined
        ? beginning(start)
        : '';
  // Nothing chooses among what is there: the starting place itself is meant, too.
  const isWhole = !words.some(({ text }) => text !== null && choosing.test(text));
  const whole =
    isWhole && !inPlace && starts.length < 2 ? (start?.text ?? (starts.length === 0 ? '.' : undefined)) : undefined;
  const command = words.slice(from, end).flatMap((word) => {
    const found = filled(word, prefix);
    return whole !== undefined && word.text === '{}' ? [{ source: whole, text: whole }, found] : [found];
  });
  report.run(command, `${name} ${action}`, inPlace ? null : undefined);
  return end;
}

/** A word with `{}` in it is one word, with a path in that place. */
function filled(word: Word, prefix: string): Word {
  if (word.text === null || !word.text.includes('{}')) return word;
  const before = word.text.slice(0, word.text.indexOf('{}'));
  return { source: '"{}"', text: null, prefix: before === '' ? prefix : before };
}
