/** Programs of the system whose words decide between telling and changing. */
import { applyOptions, applyWords, placeWords } from '../apply.ts';
import type { Word } from '../invocation.ts';
import { gives, parseOptions } from '../options.ts';
import type { Call } from './call.ts';

function textOf(word: Word | undefined): string | null {
  return word === undefined || word.isPattern === true ? null : word.text;
}

/** Only a format (`+%F`) leaves the clock as it is. */
export function date({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (gives(parsed, '-j')) return;
  for (const word of parsed.words) {
    if ((word.text ?? word.prefix ?? '').startsWith('+')) continue;
    if (word.text === null) report.doubt(`${word.source} may set the clock`);
    else report.effect('write', `date ${word.text} sets the clock`);
  }
}

/** Names of hosts are asked for on the network. */
export function getent({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const [database, ...keys] = parsed.words;
  const isLocal = /^(passwd|group|shadow|gshadow|services|protocols|rpc|aliases|initgroups|ethers|netgroup)$/.test(
    textOf(database) ?? '',
  );
  if (!isLocal && database !== undefined) report.effect('network', 'getent may ask a name server');
  placeWords(report, '...text', name, keys);
}

/** Without `-b` (and `-l` elsewhere) it takes keys, some of which end programs. */
export function top({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyWords(report, { ...program, words: '...text' }, name, parsed);
  if (!gives(parsed, '-b', '-l')) report.effect('execute', 'top opens a screen');
}

export function sysctl({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  for (const word of parsed.words) {
    if (word.text === null) report.doubt(`${word.source} may set a value`);
    else if (word.text.includes('=')) report.effect('write', `sysctl sets ${word.text}`);
  }
}

export function mount({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (parsed.words.length > 0) report.effect('write', 'mount mounts a file system');
}

export function service({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (parsed.words.length > 0) report.effect('execute', 'service runs a script of the system');
}

/** `-l` lists names of signals, signal 0 only looks whether a process is there. */
export function kill({ report, words }: Call): void {
  const [first, second] = words.map(textOf);
  if (first === '-l' || first === '-L' || first === '--list' || first === '--table') return;
  // The last signal counts.
  const isSole = words.slice(2).every((word) => word.text?.startsWith('-') !== true);
  if (
    isSole &&
    ((first === '-0' && second?.startsWith('-') !== true) || (/^-[sn]$/.test(first ?? '') && second === '0'))
  )
    return;
  report.effect('execute', 'kill signals processes');
}

export function crontab({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const lists = gives(parsed, '-l');
  if (lists && parsed.words.length === 0) return;
  for (const effect of ['write', 'execute'] as const) report.effect(effect, 'crontab sets what runs later');
  placeWords(report, '...read', name, parsed.words);
}

export function ldconfig({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (!gives(parsed, '-p')) report.effect('write', 'ldconfig writes the cache of the linker');
}
