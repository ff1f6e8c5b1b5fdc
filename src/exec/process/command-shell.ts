/**
 * The shell that runs the command: a process of its own, so that what a command does to its shell ($$, exec, exit, a trap, a closed
 * descriptor) doesn't touch who reports on it. On descriptor 4 it gets the command and tells its folders (see shell-channel.ts).
 */

/** The script that it runs. On one line, so that messages about the command count its lines from 1. */
export function commandShell({ counts }: { counts: boolean }): string {
  const read = counts ? readCounted : readPortably;
  return [
    "printf '\\0' >&4",
    "IFS=' ' read -r __reins_length __reins_size <&4 || exit 125",
    read('__reins_folder', '$__reins_length'),
    read('__reins_command', '$__reins_size'),
    goToFolder,
    'unset __reins_folder __reins_length __reins_size',
    quietly(tellFolder),
    // By a trap, so that a command that exits tells it too, unless it sets the same trap for itself.
    `trap '${quietly(tellFolder)}' EXIT`,
    'eval "$__reins_command" 4>&-',
    quietly(`__reins_status=$?; set +xv; command trap - DEBUG ERR RETURN; ${tellFolder}`),
    // Where no file can be opened any more, what was to be quiet wasn’t done, and says so.
    'exit "${__reins_status-$?}"',
  ].join('; ');
}

/** Bytes, not characters, are counted in the C locale; read as a whole, where line by line would cost a system call for each byte. */
const readCounted = (name: string, size: string): string =>
  `LC_ALL=C IFS= read -r -N "${size}" ${name} <&4 || exit 125`;

/** The added letter keeps line ends at the end, which a substitution would drop. */
const readPortably = (name: string, size: string): string =>
  `${name}=$(head -c "${size}" <&4; printf x); ${name}=\${${name}%x}`;

/** The nearest folder above that there is, as long as it is in the workspace, which is where the shell was started; else that. */
const goToFolder =
  'until [ "$__reins_folder" = "$PWD" ] || cd -P -- "$__reins_folder" 2>/dev/null; do ' +
  'case $__reins_folder in "$PWD"/*) __reins_folder=${__reins_folder%/*} ;; *) __reins_folder=$PWD ;; esac; done';

/** The real path, also where the command has made functions of these names. */
const tellFolder = 'command cd -P .; command printf "%s\\0" "$PWD" >&4';

/** What the command may have set (a trace, traps) shows nothing of this. */
const quietly = (commands: string): string => `{ ${commands}; } >/dev/null 2>&1`;
