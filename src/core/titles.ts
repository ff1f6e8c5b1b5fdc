/** What a session is called: by a person, else by the first line of its task. */

export interface TitleData {
  /** What a person calls the session; an empty text takes that back. */
  title: {
    text: string;
    by: string;
    /** The inbox message it came from, so that it is taken once. */
    message?: string;
  };
}

const longestTitle = 80;

/** The first line that says something, bounded; whole words as far as there are any. */
export function titleFrom(text: string): string {
  const line = firstLine(text).replaceAll(/\s+/g, ' ');
  if (line.length <= longestTitle) return line;
  const cut = line.slice(0, longestTitle - 1);
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), 0));
  return `${words.length > longestTitle / 2 ? words : cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '') ?? '';
}
