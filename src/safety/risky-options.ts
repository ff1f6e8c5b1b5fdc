/** Options by which an otherwise tame program writes a file or starts another; a `*` in a rule doesn't stand for them. */

/** Long options by their whole name (their abbreviations count too) and short ones by letter. */
const riskyOptions: { [program: string]: { long: string[]; short: string } } = {
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

function isRisky(word: string, risky: { long: string[]; short: string }, oneDash: boolean): boolean {
  const [option = ''] = word.split('=');
  if (option.startsWith('--') || oneDash) {
    const name = option.replace(/^--?/, '');
    // Three letters: the shortest abbreviation that a program would take for one of them and for no common other.
    return (
      option.startsWith('-') && risky.long.some((long) => long === name || (name.length > 2 && long.startsWith(name)))
    );
  }
  return /^-[A-Za-z]/.test(option) && risky.short.split('').some((letter) => option.slice(1).includes(letter));
}
