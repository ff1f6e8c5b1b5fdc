/** Counts the changed lines of a unified diff, file by file. */

export interface FileChange {
  path: string;
  added: number;
  removed: number;
  /** The diff shows no lines of it. */
  isBinary: boolean;
}

const hunkHeader = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Hunks are read by the counts in their headers: a removed line `-- x` looks like the header of a file. */
export function diffstat(diff: string): FileChange[] {
  const changes: FileChange[] = [];
  let current: FileChange | undefined;
  let oldLeft = 0;
  let newLeft = 0;
  for (const line of diff.split('\n')) {
    if (current !== undefined && (oldLeft > 0 || newLeft > 0)) {
      const mark = line.charAt(0);
      if (mark === '\\') continue;
      if (mark === '-') current.removed += 1;
      else if (mark === '+') current.added += 1;
      if (mark !== '+') oldLeft -= 1;
      if (mark !== '-') newLeft -= 1;
      continue;
    }
    const hunk = hunkHeader.exec(line);
    if (hunk !== null) {
      oldLeft = Number(hunk[1] ?? 1);
      newLeft = Number(hunk[2] ?? 1);
    } else if (line.startsWith('diff --git ')) {
      current = { path: pathInHeader(line.slice('diff --git '.length)), added: 0, removed: 0, isBinary: false };
      changes.push(current);
    } else if (current !== undefined) {
      readHeader(line, current);
    }
  }
  return changes;
}

function readHeader(line: string, current: FileChange): void {
  if (line.startsWith('Binary files ') || line.startsWith('GIT binary patch')) current.isBinary = true;
  const named = /^(?:---|\+\+\+) (.*)$/.exec(line)?.[1];
  if (named === undefined || named === '/dev/null') return;
  current.path = withoutSide(named);
}

/** `a/x b/x`, which is ambiguous where paths have blanks; the lines below it say it better where there are any. */
function pathInHeader(sides: string): string {
  const half = sides.slice(0, (sides.length - 1) / 2);
  return withoutSide(half);
}

/** Git quotes a path with odd characters and ends one with blanks by a tab. */
function withoutSide(side: string): string {
  const bare = side.replace(/\t$/, '').replace(/^"(.*)"$/, '$1');
  return bare.replace(/^[ab]\//, '');
}
