/**
 * The small shell program that every command runs under. It starts the shell for the command, which waits for it (see
 * command-shell.ts), and reports on descriptor 3 how that ended. A waiting supervisor is what is started in advance: the command then
 * costs neither the start of a sandbox nor of a shell.
 *
 * Report lines: without a namespace `watch <number>`, the process that watches over Reins; `done <status>`, then `left <name>` for each process that the command left running, or `alone` where there is none
 * (told only inside a namespace, where nobody else can see it). Before `alone` comes the mark, in the output: all that the command
 * wrote stands before it, so nobody has to wait for the end of the sandbox to know that. The mark is asked for when the command is
 * over, which could otherwise end its own output early. On its standard error the supervisor says which signal ended the shell.
 */
import { basename } from 'node:path';
import { isExecutable } from '../programs.ts';
import { commandShell } from './command-shell.ts';

export interface ShellProgram {
  path: string;
  /** Whether it is a bash that reads a counted number of bytes at once; macOS still has one that can't. */
  counts: boolean;
}

export function findShell(): ShellProgram {
  if (isExecutable('/bin/bash')) return { path: '/bin/bash', counts: process.platform === 'linux' };
  return { path: '/bin/sh', counts: false };
}

/** What holds what a command leaves running: a namespace that ends with the supervisor, the supervisor whose child it becomes, or nothing. */
export type Hold = 'namespace' | 'adoption' | 'nothing';

/** Command-line arguments for the shell. `limits`: shell commands that bound what the command may use. */
export function supervisorArguments(shell: ShellProgram, hold: Hold, limits = ''): string[] {
  const enclosed = hold === 'namespace';
  const script = [
    catchSignals,
    '__reins_relay=${REINS_RELAY-}; unset REINS_RELAY',
    closeInherited(shell),
    ...(enclosed ? [] : [watchReins]),
    takeTerminal,
    `printf '${shellReady.trim()}\\n' >&2`,
    // A child of its own to redirect: some shells would say there, and not on their own standard error, how it ended. And a shell
    // counts how deep it lies in others; this one is for nobody to see.
    `(${limits}SHLVL=0 exec $__reins_lead "$2" $3 -c "$1" "$0" 2>&1 3>&-)`,
    '__reins_status=$?',
    'exec 2>/dev/null',
    ...(enclosed ? ['IFS= read -r __reins_mark <&3', reportAlone] : []),
    `printf 'done %s\\n' "$__reins_status" >&3`,
    ...(enclosed ? [reportLeft(shell)] : []),
    ...(hold === 'adoption' ? [endAdopted] : []),
    'exit "$__reins_status"',
  ];
  const name = basename(shell.path);
  // One shell reads the user's settings also for a single command, when it takes itself to be started from another machine.
  const plain = name === 'bash' ? ['--norc'] : [];
  return [...plain, '-c', script.join('\n'), name, commandShell(shell), shell.path, ...plain];
}

/** Comes on the supervisor's standard error before the command's shell starts: what follows is about how that ended. */
export const shellReady = 'running\n';

/** How the mark comes in the output: behind a character that hardly any output holds, so that hardly any is held back for it. */
export function endMark(mark: string): Buffer {
  return Buffer.from(`\0${mark}`, 'latin1');
}

/** Whatever Reins itself was started with beyond what is meant for it (a folder outside the workspace, say) is not for commands. */
function closeInherited(shell: ShellProgram): string {
  const higher = shell.counts ? '[5-9]|[1-9][0-9]*' : '[5-9]';
  return `for __reins_size in /proc/self/fd/*; do __reins_size=\${__reins_size##*/}; case $__reins_size in ${higher}) eval "exec $__reins_size>&-" ;; esac; done`;
}

/** A command may signal its whole group, of which the supervisor is. Caught, not ignored: a child starts with the default action. */
const catchSignals = 'trap : HUP INT QUIT TERM';

/** Written to descriptor 3 before it is closed in good order: what the command left has been ended. */
export const lastWord = 'over\n';

/**
 * What left the group and carries the command's mark in its environment, where that can be seen. A few times: what forks meanwhile is
 * missed by one look. One program looks at all of them, since a machine may have very many processes.
 */
const endMarked = `
read -r __reins_size __reins_status </proc/self/stat
for __reins_round in 1 2 3; do
  for __reins_process in $(grep -ls "REINS_COMMAND=$REINS_COMMAND" /proc/[0-9]*/environ); do
    __reins_process=\${__reins_process#/proc/}
    __reins_process=\${__reins_process%/environ}
    [ "$__reins_process" = "$__reins_size" ] || kill -KILL "$__reins_process"
  done
done`;

/**
 * Without a namespace nobody would end the command when Reins is killed: its end closes descriptor 3, and that ends the group, and
 * before it what has left the group. It stays when the supervisor is over, until Reins has ended what the command left. Deaf to signals
 * from its first moment: a command that is to end gets them first, and what withstands them is left to the watch when Reins is killed
 * just then.
 */
const watchReins = [
  "trap '' HUP INT QUIT TERM",
  `{ __reins_last=; while IFS= read -r __reins_size <&3; do __reins_last=$__reins_size; done
[ "$__reins_last" = ${lastWord.trim()} ] || {${endMarked}
}; kill -KILL 0; } </dev/null >/dev/null 2>&1 4>&- &`,
  '__reins_watch=$!',
  'printf \'watch %s\\n\' "$__reins_watch" >&3',
  catchSignals,
].join('\n');

/**
 * Makes a terminal, where there is one, that of the command's session: then it can be asked for as /dev/tty, and what is typed can
 * interrupt. Who leads a session gets it by opening it; inside a namespace another one leads, and the command's shell begins a new one.
 */
const takeTerminal = `if [ -t 0 ]; then
  { : <>/proc/self/fd/0; } 2>/dev/null
  { : </dev/tty; } 2>/dev/null || { command -v setsid >/dev/null && __reins_lead='setsid -c'; }
fi`;

/** Looks for processes that are left. Where there is none, all is said, and the supervisor ends. */
const reportAlone = `
__reins_left() {
  __reins_names=
  for __reins_process in /proc/[0-9]*; do
    case \${__reins_process#/proc/} in 1|$$|"$__reins_relay") continue ;; esac
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

/** Ends what has become a child of the supervisor, and what becomes one by that, after the same moment as elsewhere. */
const endAdopted = `
__reins_adopted() {
  __reins_names=
  { read -r __reins_size; } </proc/$$/task/$$/children
  for __reins_process in $__reins_size; do
    [ "$__reins_process" = "$__reins_watch" ] || __reins_names="$__reins_names $__reins_process"
  done
}
__reins_adopted
__reins_round=0
while [ -n "$__reins_names" ] && [ "$__reins_round" -lt 60 ]; do
  if [ "$__reins_round" = 15 ]; then
    for __reins_process in $__reins_names; do
      { IFS= read -r __reins_stat <"/proc/$__reins_process/comm"; } && printf 'left %s\\n' "$__reins_stat" >&3
    done
  fi
  [ "$__reins_round" -lt 15 ] || kill -KILL $__reins_names
  sleep 0.01
  __reins_round=$((__reins_round + 1))
  __reins_adopted
done`;

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
