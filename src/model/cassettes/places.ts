/** Folders of the recording become those of today in what is played back, so that a path that the model names leads somewhere. */
import type { Edit, Editor } from './edits.ts';
import type { Surroundings } from './normalise.ts';

export function placesEditor(recorded: Surroundings, present: Surroundings): Editor {
  const pairs = [
    [recorded.workspace, present.workspace],
    [recorded.home, present.home],
  ].flatMap(([from, to]) => {
    const isMoved = from !== undefined && to !== undefined && from.length > 1 && from !== to;
    return isMoved ? [{ from, to }] : [];
  });
  const longestFirst = pairs.toSorted((a, b) => b.from.length - a.from.length);
  return (text) => {
    const edits: Edit[] = [];
    const mentions = longestFirst.flatMap(({ from, to }) =>
      mentionsOf(text, from).map((edit) => ({ ...edit, with: to })),
    );
    // A stable sort: of two that begin at one place, the longer one comes first and counts.
    for (const edit of mentions.toSorted((a, b) => a.start - b.start)) {
      if (edit.start >= (edits.at(-1)?.end ?? 0)) edits.push(edit);
    }
    return edits;
  };
}

/** Where a folder is named, or something in it; not where its name is only the beginning or the end of another. */
function mentionsOf(text: string, folder: string): Omit<Edit, 'with'>[] {
  const found: Omit<Edit, 'with'>[] = [];
  for (let start = text.indexOf(folder); start >= 0; start = text.indexOf(folder, start + 1)) {
    const end = start + folder.length;
    const isWhole = !/^(?:[\w-]|\.\w)/.test(text.slice(end, end + 2));
    if (isWhole && /(?:^|[^\w.-]|\\[nrtbf])$/.test(text.slice(Math.max(0, start - 2), start)))
      found.push({ start, end });
  }
  return found;
}
