/** Options by which an otherwise tame program writes a file or starts another; a `*` in a rule doesn't stand for them. */

/** Long options by their whole name (their abbreviations count too), short ones by letter, and words that run what follows. */
const riskyOptions: { [program: string]: { long: string[]; short: string; words?: string[] } } = {
  git: {
    long: [
      'output',
      'ext-diff',
      'textconv',
      'exec',
      'exec-path',
      'config-env',
      'upload-pack',
      'receive-pack',
      'open-files-in-pager',
      'upload-archive',
      'extcmd',
      'tool',
      'template',
      'git-dir',
      'work-tree',
    ],
    short: 'coxO',
    words: ['foreach', 'run', 'filter-branch', 'difftool', 'mergetool'],
  },
  find: { long: ['exec', 'execdir', 'ok', 'okdir', 'delete', 'fprint', 'fprint0', 'fprintf', 'fls'], short: '' },
  sort: { long: ['output', 'compress-program'], short: 'oT' },
  rg: { long: ['pre', 'hostname-bin', 'search-zip'], short: 'z' },
  tar: {
    long: [
      'checkpoint-action',
      'use-compress-program',
      'to-command',
      'rsh-command',
      'info-script',
      'new-volume-script',
    ],
    short: 'IF',
  },
};

/** The first word after `from` that is such an option of the program. */
export function riskyOption(words: readonly string[], from: number): string | undefined {
  const [program = ''] = words;
  const risky = riskyOptions[program];
  if (risky === undefined) return undefined;
  return words.slice(from).find((word) => isRisky(word, risky, program === 'find'));
}

function isRisky(word: string, risky: { long: string[]; short: string; words?: string[] }, oneDash: boolean): boolean {
  const [option = ''] = word.split('=');
  if (risky.words?.includes(word) === true) return true;
  if (oneDash) return option.startsWith('-') && risky.long.includes(option.slice(1));
  if (option.startsWith('--')) {
    const name = option.slice(2);
    // Programs take any beginning of a name for the whole, and some names begin like a risky one and are no better.
    return name !== '' && risky.long.some((long) => long.startsWith(name) || name.startsWith(`${long}-`));
  }
  return /^-[A-Za-z]/.test(option) && risky.short.split('').some((letter) => option.slice(1).includes(letter));
}
