/** Reads what git prints for programs: records that end with NUL, so that names may hold any other byte. */

export interface StatusEntry {
  /** Relative to the root of the repository; ends with a slash for a repository inside that git doesn't look into. */
  path: Buffer;
  isSubmodule: boolean;
  isUntracked: boolean;
}

export interface Status {
  /** Null before the first commit. */
  commit: string | null;
  entries: StatusEntry[];
  /** A file differs in the index and again in the folder, where it may be as committed after all. */
  isAmbiguous: boolean;
}

const dot = 0x2e;

/** `git status --porcelain=v2 -z --branch --no-renames`, see its manual page. Throws on a record of an unknown kind: it may be a change. */
export function parseStatus(output: Buffer): Status {
  let commit: string | null = null;
  const entries: StatusEntry[] = [];
  let isAmbiguous = false;
  for (const record of splitRecords(output)) {
    const kind = String.fromCharCode(record[0] ?? 0);
    if (kind === '#') {
      const oid = /^# branch\.oid ([0-9a-f]{40,64})$/.exec(record.toString('latin1'))?.[1];
      commit ??= oid ?? null;
    } else if (kind === '?') {
      entries.push({ path: record.subarray(2), isSubmodule: false, isUntracked: true });
    } else if (kind === '1' || kind === 'u') {
      const path = afterFields(record, kind === '1' ? 8 : 10);
      isAmbiguous ||= record[2] !== dot && record[3] !== dot;
      entries.push({ path, isSubmodule: record[5] === 0x53, isUntracked: false });
    } else if (kind !== '!') {
      throw new Error(`git status printed an unknown record: ${record.toString('latin1').slice(0, 80)}`);
    }
  }
  return { commit, entries, isAmbiguous };
}

/** What follows after a number of fields that are separated by single spaces. */
function afterFields(record: Buffer, fields: number): Buffer {
  let start = 0;
  for (let field = 0; field < fields; field += 1) start = record.indexOf(0x20, start) + 1;
  return record.subarray(start);
}

export function splitRecords(output: Buffer): Buffer[] {
  const records: Buffer[] = [];
  let start = 0;
  for (let end = output.indexOf(0); end >= 0; end = output.indexOf(0, start)) {
    records.push(output.subarray(start, end));
    start = end + 1;
  }
  return records;
}

export interface Index {
  /** Files that git was told not to look at: "assume unchanged" (a tag in lower case) and "skip worktree" (S). */
  unwatched: Buffer[];
  submodules: Buffer[];
}

const submoduleMode = Buffer.from('160000 ');

/** `git ls-files --stage -v -z`: tag, mode, hash, stage and, after a tab, the path. */
export function parseIndex(output: Buffer): Index {
  const index: Index = { unwatched: [], submodules: [] };
  let start = 0;
  for (let end = output.indexOf(0); end >= 0; end = output.indexOf(0, start)) {
    const tag = output[start] ?? 0;
    const isUnwatched = tag === 0x53 || (tag >= 0x61 && tag <= 0x7a);
    const isSubmodule = output[start + 2] === 0x31 && output.subarray(start + 2, start + 9).equals(submoduleMode);
    if (isUnwatched || isSubmodule) {
      const path = output.subarray(output.indexOf(0x09, start) + 1, end);
      (isSubmodule ? index.submodules : index.unwatched).push(path);
    }
    start = end + 1;
  }
  return index;
}
