import type { ToolSearch } from '../search.ts';

/** Characters of the list of names, enough for some seventy: what isn't in it is found by words. */
const longestList = 1_500;

/** The names stand here, so that the model knows what there is to look for; they are the same all through a session. */
export function descriptionFor(search: ToolSearch): string {
  return `Find further tools by words, or by name with "select:a,b". There are: ${namesIn(search)}.`;
}

export function namesIn({ tools }: ToolSearch): string {
  const names: string[] = [];
  let length = 0;
  for (const { name } of tools) {
    length += name.length + 2;
    if (length > longestList) break;
    names.push(name);
  }
  const more = tools.length > names.length ? ` and ${tools.length - names.length} more` : '';
  return `${names.join(', ')}${more}`;
}
