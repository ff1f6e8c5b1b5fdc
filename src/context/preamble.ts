/** What a repository looks like at the start, for the prompt: its state, its folders, the head of its README. */
import { marked } from './marks.ts';
import { standingFragments } from './prompt/index.ts';

export interface RepositoryFacts {
  /** Lines of Git's short status with the branch first; absent without Git. */
  status?: readonly string[];
  /** Paths of files, relative to the workspace. */
  paths: readonly string[];
  /** The README as the model may see it; absent where there is none. */
  readme?: { name: string; text: string };
}

/** Lines of the status and of the tree, and characters of the README and of one line: what is longer is cut, and says so. */
const mostStatus = 40;
const mostTree = 150;
const longestReadme = 2_000;
const longestLine = 200;

export function preambleLayer({ status, paths, readme }: RepositoryFacts): string {
  const parts = [
    ...(status === undefined ? [] : ['git status:', ...bounded(status, mostStatus)]),
    'Files, two levels deep:',
    ...bounded(treeOf(paths), mostTree),
    ...(readme === undefined ? [] : [`${readme.name} begins:`, headOf(readme.text)]),
  ];
  return `${standingFragments.preamble.text}\n${marked('repository', parts.join('\n'))}`;
}

/** Files of the top, its folders, and what is in those; a folder with a slash at its end. */
export function treeOf(paths: readonly string[]): string[] {
  const entries = paths.flatMap((path) => {
    const [first = '', second, ...rest] = path.split('/');
    if (second === undefined) return [first];
    return [`${first}/`, `${first}/${second}${rest.length > 0 ? '/' : ''}`];
  });
  return [...new Set(entries)].toSorted();
}

/** A name can hold line breaks, and must not look like several. */
function bounded(lines: readonly string[], most: number): string[] {
  const shown = lines
    .slice(0, most)
    .map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?').slice(0, longestLine));
  return lines.length > most ? [...shown, `... and ${lines.length - most} more`] : shown;
}

function headOf(text: string): string {
  if (text.length <= longestReadme) return text.trimEnd();
  const head = text.slice(0, longestReadme).toWellFormed();
  return `${head.slice(0, Math.max(head.lastIndexOf('\n'), longestReadme / 2)).trimEnd()}\n[Cut here: read the file for the rest.]`;
}
