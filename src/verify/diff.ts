/** The work of a run as a unified diff, for people. */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, lstatSync } from 'node:fs';
import type { EventData } from '../core/index.ts';
import { splitRecords } from './git-output.ts';
import type { Git } from './needs.ts';
import { argumentOf, keyOf, pathOf } from './path-key.ts';

export interface DiffOptions {
  /** The real path of the workspace. */
  workspace: string;
  git: Git;
  /** The workspace before the run, if it was described. */
  before: EventData['checkpoint'] | undefined;
  /** The paths that changed in the run. */
  changed: readonly string[];
  /** Characters of the text; what is more is cut at a line. */
  most?: number;
}

export interface DiffedFile {
  path: string;
  /** Lines; absent where they can't be told (binary files, files without a known state before). */
  added?: number;
  removed?: number;
  /** There was no such file before. */
  created?: true;
  /** It already differed from the commit before the run, so the lines are not of this run alone. */
  alsoBefore?: true;
}

export interface Diff {
  /** May hold whatever the files hold, escape sequences included. */
  text: string;
  files: DiffedFile[];
  /** Lines that were cut off. */
  cutLines: number;
}

/** Paths named to git in one command; more files than these are listed without their lines. */
const mostPaths = 500;
const mostCharacters = 20_000;
/** Bytes; a larger new file is shown as a binary one. */
const largestFile = 1024 * 1024;

/** Never rejects for what a workspace or git says: what can't be shown is listed by name. */
export async function diffOf(options: DiffOptions): Promise<Diff> {
  const { workspace, before, changed, most = mostCharacters } = options;
  const tracked = await gitDiff(options);
  const patches = [tracked.patch];
  const files = changed.map((path): DiffedFile => {
    const also = before !== undefined && Object.hasOwn(before.files, path) ? ({ alsoBefore: true } as const) : {};
    const counted = tracked.counts.get(path);
    if (counted !== undefined) {
      // What nobody has committed was there before all the same.
      const { created: _, ...lines } = counted;
      return also.alsoBefore === undefined ? { path, ...counted } : { path, ...lines, ...also };
    }
    const isNew = also.alsoBefore === undefined && (tracked.untracked?.has(path) ?? true);
    const added = isNew ? newFile(workspace, path) : undefined;
    if (added === undefined) return { path, ...also };
    patches.push(added.patch);
    return { path, ...(added.lines !== undefined && { added: added.lines, removed: 0 }), created: true };
  });
  return { files, ...cut(patches.join(''), most) };
}

const diffArguments = ['diff', '--no-color', '--no-renames', '--relative', '--src-prefix=a/', '--dst-prefix=b/'];
/** Changed lines; a file with more is listed without them. */
const mostLines = 20_000;

type Counts = Pick<DiffedFile, 'added' | 'removed' | 'created'>;

interface Tracked {
  patch: string;
  counts: Map<string, Counts>;
  /** Undefined where git can't say. */
  untracked?: Set<string>;
}

async function gitDiff({ git, before, changed }: DiffOptions): Promise<Tracked> {
  const nothing: Tracked = { patch: '', counts: new Map() };
  const paths = changed.filter((path) => argumentOf(path) !== undefined).slice(0, mostPaths);
  const commit = before === undefined ? 'HEAD' : before.commit;
  if (paths.length === 0 || commit === null || !/^(HEAD|[0-9a-f]{40,64})$/.test(commit)) return nothing;
  const run = async (args: string[], names: string[]): Promise<Buffer> => {
    // Without the word in front, a name may be a pattern.
    const { exit, stdout } = await git.run([...args, '--', ...names.map((name) => `:(literal)${name}`)]);
    if (exit !== 0) throw new Error('git failed');
    return stdout;
  };
  try {
    const records = splitRecords(await run([...diffArguments, '--raw', '--numstat', '-z', commit], paths));
    const counts = countsIn(records);
    const shown = [...counts].filter(([, { added = 0, removed = 0 }]) => added + removed <= mostLines);
    const patch =
      shown.length === 0
        ? ''
        : await run(
            [...diffArguments, '--patch', commit],
            shown.map(([path]) => path),
          );
    const untracked = splitRecords(await run(['ls-files', '--others', '-z'], paths));
    return { patch: patch.toString('utf8'), counts, untracked: new Set(untracked.map(keyOf)) };
  } catch {
    return nothing; // No repository, or no git: the files are listed all the same.
  }
}

/** First `:modes objects status` and a path for each file, then its counts. */
function countsIn(records: readonly Buffer[]): Map<string, Counts> {
  const firstCount = records.findIndex((record, index) => index % 2 === 0 && record[0] !== 0x3a);
  if (firstCount < 0) return new Map();
  const created = new Set<string>();
  for (let index = 0; index < firstCount; index += 2) {
    const path = records[index + 1];
    if (path !== undefined && records[index]?.at(-1) === 0x41) created.add(keyOf(path));
  }
  return new Map(
    records.slice(firstCount).map((record) => {
      const [path, counts] = parseCounts(record);
      return [path, created.has(path) ? { ...counts, created: true } : counts];
    }),
  );
}

/** `added TAB removed TAB path`, with hyphens for binary files. */
function parseCounts(record: Buffer): [string, Counts] {
  const second = record.indexOf(0x09, record.indexOf(0x09) + 1);
  const [added, removed] = record.toString('latin1', 0, second).split('\t');
  const path = keyOf(record.subarray(second + 1));
  return [path, added === '-' ? {} : { added: Number(added), removed: Number(removed) }];
}

interface NewFile {
  patch: string;
  lines?: number;
}

/** The patch that makes a file out of nothing; undefined when there is no file. */
function newFile(workspace: string, path: string): NewFile | undefined {
  const content = readNew(Buffer.concat([Buffer.from(`${workspace}/`), pathOf(path)]));
  if (content === undefined) return undefined;
  const name = /[\u0000-\u001f\u007f"\\]/.test(path) ? JSON.stringify(`b/${path}`) : `b/${path}`;
  const head = `diff --git ${name.replace(/b\//, 'a/')} ${name}\nnew file mode ${content.mode}\n`;
  if (content.bytes === undefined) return { patch: `${head}Binary file ${name} added\n` };
  const text = content.bytes.toString('utf8');
  if (text === '') return { patch: head, lines: 0 };
  const lines = text.replace(/\n$/, '').split('\n');
  const end = text.endsWith('\n') ? '' : '\\ No newline at end of file\n';
  const body = lines.map((line) => `+${line}\n`).join('');
  const range = lines.length === 1 ? '+1' : `+1,${lines.length}`;
  return { patch: `${head}--- /dev/null\n+++ ${name}\n@@ -0,0 ${range} @@\n${body}${end}`, lines: lines.length };
}

/** The bytes are absent for what isn't text, or is too large to be shown. */
function readNew(path: Buffer): { mode: string; bytes?: Buffer } | undefined {
  try {
    if (lstatSync(path).isSymbolicLink()) return { mode: '120000', bytes: readlinkSync(path, 'buffer') };
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const status = fstatSync(file);
      if (!status.isFile()) return undefined;
      const mode = (status.mode & 0o100) === 0 ? '100644' : '100755';
      if (status.size > largestFile) return { mode };
      const buffer = Buffer.alloc(status.size);
      const bytes = buffer.subarray(0, readSync(file, buffer, 0, status.size, 0));
      return bytes.subarray(0, 8000).includes(0) ? { mode } : { mode, bytes };
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined; // Gone meanwhile, or not to be read: it is listed by name.
  }
}

function cut(text: string, most: number): Pick<Diff, 'text' | 'cutLines'> {
  if (text.length <= most) return { text, cutLines: 0 };
  const end = text.lastIndexOf('\n', most - 1) + 1;
  return { text: text.slice(0, end), cutLines: text.slice(end).replace(/\n$/, '').split('\n').length };
}
