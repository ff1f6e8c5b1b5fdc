/** Archives: the mode decides whether they are listed, unpacked or written. */
import { applyOptions, placeWords } from '../apply.ts';
import type { Word } from '../invocation.ts';
import { beginning, gives, isOneWord, names, parseOptions } from '../options.ts';
import type { Report } from '../report.ts';
import type { Program } from '../table.ts';
import type { Call } from './call.ts';

const tarProgram: Program = {
  flags:
    '-A -c -d -r -t -u -x -j -J -z -Z -a -h -k -m -M -n -o -O -p -P -R -s -S -U -v -w -W -l -i -B -G --list --extract --get --create --append --update --catenate --concatenate --diff --compare ' +
    '--bzip2 --xz --gzip --gunzip --ungzip --zstd --lzip --lzma --lzop --compress --auto-compress --verbose --dereference --hard-dereference --absolute-names --wildcards --no-wildcards --anchored ' +
    '--no-anchored --ignore-case --no-ignore-case --wildcards-match-slash --no-wildcards-match-slash --same-owner --no-same-owner --same-permissions --preserve-permissions --no-same-permissions ' +
    '--numeric-owner --keep-old-files --skip-old-files --keep-newer-files --overwrite --overwrite-dir --no-overwrite-dir --recursive-unlink --unlink-first --remove-files --to-stdout --force-local ' +
    '--exclude-vcs --exclude-vcs-ignores --exclude-backups --exclude-caches --no-recursion --recursion --one-file-system --sparse --totals --utc --full-time --show-defaults ' +
    '--show-omitted-dirs --show-transformed-names --show-stored-names --block-number --verify --touch --ignore-zeros --multi-volume --check-links --no-auto-compress --null --no-null --xattrs --acls --selinux --warning --delete --test-label --seek --posix',
  values: {
    text:
      '-f -b -H -K -L -N -V -X -C -g --file --blocking-factor --format --exclude --strip-components --transform --xform --owner --group --mode --mtime --sort --newer --after-date --newer-mtime --label --directory ' +
      '--exclude-from --warning --quoting-style --starting-file --record-size --level --suffix --pax-option --exclude-ignore --exclude-tag --tape-length',
    unknown: '-T --files-from',
    write: '--index-file --listed-incremental --volno-file',
    code: '-I -F --use-compress-program --to-command --rsh-command --rmt-command --info-script --new-volume-script --checkpoint-action',
  },
  attached: { text: '--occurrence --checkpoint --backup --totals' },
  // For the next volume it asks, and takes `!` for a shell.
  acts: {
    destroy: '--remove-files --recursive-unlink --unlink-first -U',
    write: '--delete -g',
    execute: '-M -L --multi-volume --tape-length',
  },
};

export function tar({ report, name, words }: Call): void {
  const parsed = parseOptions(tarProgram, name, spelledOut(words));
  applyOptions(report, tarProgram, name, parsed);
  const given = (...options: string[]) => parsed.options.filter((option) => options.includes(option.name));
  const has = (...options: string[]) => given(...options).length > 0;
  const archives = given('-f', '--file').flatMap(({ value }) => (value === undefined ? [] : [value]));
  const lists = has('-t', '--list', '-d', '--diff', '--compare', '--test-label');
  const unpacks = has('-x', '--extract', '--get');
  const writes = has(
    '-c',
    '--create',
    '-r',
    '--append',
    '-u',
    '--update',
    '-A',
    '--catenate',
    '--concatenate',
    '--delete',
  );
  for (const archive of archives) {
    report.path(writes ? 'write' : 'read', archive, name, false);
    const start = beginning(archive);
    const isRemote = /^[^/]*:/.test(start) || (archive.text === null && (start === '' || !isOneWord(archive)));
    if (isRemote && !has('--force-local'))
      report.effect('execute', `${name} takes ${archive.source} from another machine with rsh`);
  }
  if (!lists && !unpacks && !writes) report.doubt(`what ${name} is to do can’t be told`);
  const folders = given('-C', '--directory').flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (unpacks && !has('-O', '--to-stdout')) {
    for (const folder of folders.length > 0 ? folders : [{ source: '.', text: '.' }])
      report.path('write', folder, name, true);
    if (has('-P', '--absolute-names')) report.doubt(`where ${name} -P unpacks to can’t be told`);
  }
  for (const folder of folders) if (!unpacks) report.enter(folder);
  if (writes) placeWords(report, has('--remove-files') ? '...raze' : '...tree', name, parsed.words);
}

/** `tar xzf a b` is `tar -x -z -f a b`: in the old style values stand behind all letters, in their order. */
function spelledOut(words: Word[]): Word[] {
  const [first, ...rest] = words;
  if (first?.text == null || first.text === '' || first.text.startsWith('-')) return words;
  const valued = new Set([
    ...names(tarProgram.values?.text),
    ...names(tarProgram.values?.unknown),
    ...names(tarProgram.values?.code),
  ]);
  return first.text
    .split('')
    .flatMap((letter) => {
      const option = { source: first.source, text: `-${letter}` };
      const value = valued.has(option.text) ? rest.shift() : undefined;
      return value === undefined ? [option] : [option, value];
    })
    .concat(rest);
}

const looking = /^(-l|--list|-t|--test)$/;
const modes = /^(-l|--list|-t|--test|-d|--decompress|--uncompress|-z|--compress)$/;

/** `gzip` and its kin: they put a file in the place of each unless they write to their output, list or test. */
export function pack({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const given = parsed.options.map((option) => option.name);
  // Of several modes most programs take the last.
  const mode = given.findLast((option) => modes.test(option)) ?? '';
  const reads = given.some((option) => /^(-c|--stdout|--to-stdout)$/.test(option)) || looking.test(mode);
  const files = parsed.words.filter((word) => word.text !== '-');
  placeWords(report, reads ? '...read' : '...write', name, files);
}

export function unzip({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  const lists = gives(parsed, '-l', '-v', '-Z', '-z', '-t', '-p', '-c');
  const target = parsed.options.find((option) => option.name === '-d');
  for (const doubt of parsed.doubts) report.doubt(doubt);
  const dates = gives(parsed, '-T');
  if (dates) report.effect('write', 'unzip -T sets the date of the archive');
  const [archive] = parsed.words;
  if (archive !== undefined) report.path('read', archive, name, false);
  if (!lists && archive !== undefined) report.path('write', target?.value ?? { source: '.', text: '.' }, name, true);
}

export function ar({ report, name, words }: Call): void {
  const [mode, archive, ...members] = words;
  // Options may stand behind the archive, too, and `@FILE` holds some.
  const isPlain = members.every((word) => !/^[-@]/.test(beginning(word)) && isOneWord(word));
  if (isPlain && mode?.text != null && /^-?[tp][voTOc]*$/.test(mode.text))
    return placeWords(report, 'read ...text', name, words.slice(1));
  if (archive !== undefined) report.path('write', archive, name, false);
  report.effect('write', 'ar writes files');
  if (members.some((word) => /^[-@]/.test(beginning(word)))) report.doubt('options behind the archive may load code');
  placeWords(report, '...read', name, members);
}

/** A value ends with a dollar sign for some pagers, and options and commands may stand behind it. Pagers take commands from a `+` word, and some shells set programs that prepare what they show. */
export function pager({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  for (const { name: option, value } of parsed.options) {
    if (/[$\n\r]/.test(value?.text ?? '')) report.doubt(`what ${name} ${option} does can’t be told`);
  }
  for (const word of parsed.words) checkPagerWord(report, word, name);
  placeWords(report, '...read', name, parsed.words);
}

function checkPagerWord(report: Report, word: Word, name: string): void {
  const start = beginning(word);
  if (/^\+(\d+|G|F|\/[\w .-]+)$/.test(word.text ?? '')) return;
  if (start.startsWith('+') || ((word.text === null || word.isPattern === true) && start === '')) {
    report.doubt(`${word.source} may be a command for ${name}`);
  }
}
