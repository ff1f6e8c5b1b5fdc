/** How much a command may use: so much that ordinary work never notices, so little that the machine and Reins live on. */
import { totalmem } from 'node:os';
import { basename } from 'node:path';

export interface UseLimits {
  /** Bytes of memory of all processes of a command together. */
  memory: number;
  /** Processes of a command at once. */
  processes: number;
  /** Bytes of any one file that is written. */
  fileBytes: number;
  /** Files that one process has open. */
  openFiles: number;
  /** Seconds of one process on a processor; 0 for no limit, since commands have one for their whole time. */
  cpuSeconds: number;
}

const gibibyte = 1024 ** 3;

/** The part of the machine’s memory that a command may use by default. */
const memoryShare = 0.75;
/** Threads for each process that may be, where the kernel counts both alike. */
const threadsEach = 2;
/** Of the kernel’s choice between processes when memory is short: first those of commands (-1000 to 1000). */
const firstToGo = 500;

export function useLimits(asked: Partial<UseLimits> = {}): UseLimits {
  // What a container allows counts, where there is less of it.
  const machine = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  const usual = {
    memory: Math.floor(machine * memoryShare),
    processes: 4096,
    fileBytes: 20 * gibibyte,
    openFiles: 65_536,
    cpuSeconds: 0,
  };
  return { ...usual, ...asked };
}

/** Processes and threads that the kernel lets commands have, where it can count them. */
export function mostTasks({ processes }: UseLimits): number {
  return processes * threadsEach;
}

/**
 * Shell commands that bound what follows. `others`: processes and threads that the kernel counts with those of the command, none in a
 * user namespace; for root it counts nothing at all.
 */
export function limitCommands(limits: UseLimits, shell: string, others: number): string {
  const { fileBytes, openFiles, cpuSeconds } = limits;
  const isCounted = process.getuid?.() !== 0;
  // The unit of file sizes differs between shells.
  const block = basename(shell) === 'bash' ? 1024 : 512;
  const commands = [
    'ulimit -c 0',
    `ulimit -f ${Math.ceil(fileBytes / block)}`,
    // What a program finds as its limit stays small; so far it may raise it.
    `ulimit -Hn ${openFiles} || ulimit -n ${openFiles}`,
    ...(cpuSeconds > 0 ? [`ulimit -St ${cpuSeconds}; ulimit -Ht ${cpuSeconds + 2}`] : []),
    ...(isCounted ? [`ulimit -u ${others + mostTasks(limits)}`] : []),
    `echo ${firstToGo} >/proc/self/oom_score_adj`,
  ];
  return `{ ${commands.join('; ')}; } 2>/dev/null; `;
}

/** Bytes of each of the few places of a sandbox that are kept in memory. */
export function memoryPlaceBytes({ memory }: UseLimits): number {
  return Math.max(Math.floor(memory / 8), 1024 * 1024);
}

export function limitsText({ memory, processes, fileBytes, openFiles, cpuSeconds }: UseLimits): string {
  const cpu = cpuSeconds > 0 ? `, ${cpuSeconds} s of processor time each` : '';
  return `At most ${bytesText(memory)} of memory and ${processes} processes for a command, files of ${bytesText(fileBytes)}, ${openFiles} open files for a process${cpu}.`;
}

/** In the largest unit of which there is at least one. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${Number((bytes / 1024 ** step).toFixed(1))} ${units[step]}`;
}

/** What a failed command met of these limits, in words for the model. `exit`: as a shell has it, with 128 added to a signal. */
export function limitHint(
  output: string,
  exit: number | null,
  signal: string | null,
  limits: UseLimits,
): string | undefined {
  if (signal === 'SIGXFSZ' || exit === 153 || /\bEFBIG\b|File too large|File size limit exceeded/i.test(output))
    return `The sandbox’s limit of ${bytesText(limits.fileBytes)} for a file was reached (sandbox.fileBytes in the user’s settings).`;
  if (signal === 'SIGXCPU' || exit === 152 || /CPU time limit exceeded/i.test(output))
    return `The sandbox’s limit of ${limits.cpuSeconds} s of processor time was reached (sandbox.cpuSeconds in the user’s settings).`;
  if (/\bEMFILE\b|Too many open files/i.test(output))
    return `A process may have at most ${limits.openFiles} files open in the sandbox (sandbox.openFiles in the user’s settings), or fewer by its own limit (ulimit -n).`;
  if (
    /fork: (retry: )?Resource temporarily unavailable|fork: Cannot allocate memory|\bspawn \S+ EAGAIN\b|pthread_create.*(EAGAIN|Resource temporarily)/i.test(
      output,
    )
  )
    return `The sandbox’s limit of ${limits.processes} processes was probably reached (sandbox.processes in the user’s settings).`;
  return undefined;
}
