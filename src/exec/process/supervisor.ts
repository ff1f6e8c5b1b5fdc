/**
 * The small shell program that every command runs under. It waits for one command on descriptor 3, runs it in a child shell
 * without input and with one stream for output and errors (so that both stay in order), and reports on descriptor 3 how it ended.
 * A waiting supervisor is what is started in advance: the command then costs neither the start of a sandbox nor of a shell.
 *
 * Report lines: `ready`, then `done <status>`, then `left <name>` for each process that the command left running, or `alone` where
 * there is none (told only inside a namespace, where nobody else can see it). Before `alone` comes the mark, in the output: all
 * that the command wrote stands before it, so nobody has to wait for the end of the sandbox to know that. On its standard error the
 * supervisor says which signal ended the child shell.
 */
import { basename } from 'node:path';
import { isExecutable } from '../programs.ts';

export interface ShellProgram {
  path: string;
  /** Whether it is a bash that reads a counted number of bytes at once; macOS still has one that can't. */
  counts: boolean;
}

export function findShell(): ShellProgram {
  if (isExecutable('/bin/bash')) return { path: '/bin/bash', counts: process.platform === 'linux' };
  return { path: '/bin/sh', counts: false };
}

/** Command-line arguments for the shell. `enclosed`: a namespace ends with the supervisor, and everything in it with the namespace. */
export function supervisorArguments(shell: ShellProgram, enclosed: boolean): string[] {
  // Up to the command on one line, so that messages about the command count its lines from 1.
  const script = [
    catchSignals,
    closeInherited(shell),
    "printf 'ready\\n' >&3",
    "IFS=' ' read -r __reins_size __reins_mark <&3 || exit 125",
    shell.counts ? readCounted : readPortably,
    enclosed ? 'true' : watchReins,
    `printf '${shellReady.trim()}\\n' >&2`,
    // The command has no business with the mark: with it, it could end its own output early.
    '(unset __reins_mark; eval "$__reins_command") </dev/null 2>&1 3>&-',
  ];
  const afterwards = [
    '__reins_status=$?',
    enclosed ? 'exec 2>/dev/null' : endWatch,
    enclosed ? reportAlone : '',
    `printf 'done %s\\n' "$__reins_status" >&3`,
    enclosed ? reportLeft(shell) : '',
    'exit "$__reins_status"',
  ];
  return ['-c', [script.join('; '), ...afterwards].join('\n'), basename(shell.path)];
}

/** Comes on the supervisor's standard error before the command starts: what follows is about how the command ended. */
export const shellReady = 'running\n';

/** The message that hands over a command, and the mark that ends its output. */
export function handOverMessage(command: string, mark: string): string {
  return `${Buffer.byteLength(command)} ${mark}\n${command}`;
}

/** How the mark comes in the output: behind a character that hardly any output holds, so that hardly any is held back for it. */
export function endMark(mark: string): Buffer {
  return Buffer.from(`\0${mark}`, 'latin1');
}

/** Whatever Reins itself was started with beyond the usual three (a folder outside the workspace, say) is not for commands. */
function closeInherited(shell: ShellProgram): string {
  const higher = shell.counts ? '[4-9]|[1-9][0-9]*' : '[4-9]';
  return `for __reins_size in /proc/self/fd/*; do __reins_size=\${__reins_size##*/}; case $__reins_size in ${higher}) eval "exec $__reins_size>&-" ;; esac; done`;
}

/** Bytes, not characters, are counted in the C locale; read as a whole, where line by line would cost a system call for each byte. */
const readCounted = 'LC_ALL=C IFS= read -r -N "$__reins_size" __reins_command <&3 || exit 125';

/** The added letter keeps line ends at the end of the command, which a substitution would drop. */
const readPortably = [
  '__reins_command=$(head -c "$__reins_size" <&3; printf x)',
  '__reins_command=${__reins_command%x}',
].join('; ');

/** A command may signal its whole group, of which the supervisor is. Caught, not ignored: a child starts with the default action. */
const catchSignals = 'trap : HUP INT QUIT TERM';

/**
 * Without a namespace nobody would end the command when Reins is killed: its end closes descriptor 3, and that ends the group. Deaf to
 * signals from its first moment: a command that is to end gets them first, and what withstands them is left to the watch when Reins is
 * killed just then.
 */
const watchReins = [
  "trap '' HUP INT QUIT TERM",
  '{ IFS= read -r __reins_size <&3; kill -KILL 0; } </dev/null >/dev/null 2>&1 & __reins_watch=$!',
  catchSignals,
].join('; ');

const endWatch = 'exec 2>/dev/null; kill -KILL "$__reins_watch"; wait "$__reins_watch"';

/** Looks for processes that are left. Where there is none, all is said, and the supervisor ends. */
const reportAlone = `
__reins_left() {
  __reins_names=
  for __reins_process in /proc/[0-9]*; do
    case \${__reins_process#/proc/} in 1|$$) continue ;; esac
    { IFS= read -r __reins_stat <"$__reins_process/stat"; } 2>/dev/null || continue
    case \${__reins_stat##*) } in Z*|X*) continue ;; esac
    __reins_stat=\${__reins_stat#*(}
    __reins_names="$__reins_names
left \${__reins_stat%)*}"
  done
}
__reins_left
if [ -z "$__reins_names" ]; then
  printf '\\000%s' "$__reins_mark"
  printf 'done %s\\nalone\\n' "$__reins_status" >&3
  exit "$__reins_status"
fi`;

/** What ends by itself within 150 ms (the far end of a pipe, say) was not left running. */
function reportLeft(shell: ShellProgram): string {
  const pause = shell.counts ? 'IFS= read -r -t 0.01 __reins_size <&3' : 'sleep 0.01';
  return `
__reins_round=0
while [ -n "$__reins_names" ] && [ "$__reins_round" -lt 15 ]; do
  ${pause}
  __reins_round=$((__reins_round + 1))
  __reins_left
done
[ -z "$__reins_names" ] || printf '%s\\n' "$__reins_names" >&3`;
}
