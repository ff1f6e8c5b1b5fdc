/** Git itself: its options; its sub-commands are in three files. */
import type { Programs } from '../table.ts';
import { gitReads } from './git-reads.ts';
import { gitStores } from './git-stores.ts';
import { gitWrites } from './git-writes.ts';

export const git: Programs = {
  git: {
    logic: 'git',
    flags:
      '-P --no-pager --no-replace-objects --no-optional-locks --no-lazy-fetch --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path --exec-path',
    values: { text: '-C -c', unknown: '--git-dir --work-tree --namespace --config-env --super-prefix --attr-source' },
    // With `--bare` the folder itself is the repository, with its settings.
    acts: { 'cannot-tell': '-p --paginate --bare' },
    stops: true,
    helps: '--version -v --help -h --exec-path --html-path --man-path --info-path',
    commandHelps: '-h',
    commands: { ...gitReads, ...gitStores, ...gitWrites },
  },
};
