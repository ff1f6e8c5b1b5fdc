/** What is on the disk of a kept job: a folder by its id, owner-only, with how it began and, once it is over, how it ended. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobReport } from '../jobs/index.ts';
import { isAlive, startOf } from '../process/index.ts';

export interface KeptRecord {
  id: string;
  command: string;
  /** The real path of the workspace in which it runs. */
  workspace: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** It is ended then. */
  until: number;
  /** Its supervisor, and when that started (in ticks of the machine): a number alone may be another process by now. */
  pid: number;
  start: string;
}

const recordName = 'job.json';
const endName = 'end.json';
const validId = /^kept-[0-9a-f]{8}$/;
/** Bytes of a record that are read; ours are far smaller. */
const largest = 4 * 1024 * 1024;

export function newId(): string {
  return `kept-${randomBytes(4).toString('hex')}`;
}

export function isKeptId(id: string): boolean {
  return validId.test(id);
}

export function makeFolder(jobs: string, id: string): string {
  const folder = join(jobs, id);
  mkdirSync(jobs, { recursive: true, mode: 0o700 });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

export function removeFolder(jobs: string, id: string): void {
  if (isKeptId(id)) rmSync(join(jobs, id), { recursive: true, force: true });
}

/** The ids of all jobs, the oldest first. */
export function idsIn(jobs: string): string[] {
  return namesIn(jobs)
    .filter(isKeptId)
    .flatMap((id) => readRecord(join(jobs, id)) ?? [])
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(({ id }) => id);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Nothing was ever kept here.
  }
}

export function writeRecord(folder: string, record: KeptRecord): void {
  writeWhole(join(folder, recordName), record);
}

export function readRecord(folder: string): KeptRecord | undefined {
  const read = readWhole(join(folder, recordName)) as Partial<KeptRecord> | undefined;
  const isWhole =
    typeof read?.id === 'string' && typeof read.command === 'string' && typeof read.workspace === 'string';
  const isTimed = typeof read?.startedAt === 'number' && typeof read.until === 'number' && typeof read.pid === 'number';
  return isWhole && isTimed ? (read as KeptRecord) : undefined;
}

/** The last report, left by a supervisor whose job was over. */
export function writeEnd(folder: string, report: JobReport): void {
  writeWhole(join(folder, endName), report);
}

export function readEnd(folder: string): JobReport | undefined {
  const read = readWhole(join(folder, endName)) as Partial<JobReport> | undefined;
  return typeof read?.state === 'string' && typeof read.output === 'string' ? (read as JobReport) : undefined;
}

/** Whether the supervisor of a record is still there. */
export function isSupervised({ pid, start }: KeptRecord): boolean {
  return isAlive(pid) && startOf(pid) === start;
}

function writeWhole(file: string, value: object): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(value), { mode: 0o600 });
  renameSync(temporary, file);
}

function readWhole(file: string): unknown {
  try {
    const text = readFileSync(file, 'utf8');
    return text.length > largest ? undefined : JSON.parse(text);
  } catch {
    return undefined; // There is none yet, or none that is whole.
  }
}
