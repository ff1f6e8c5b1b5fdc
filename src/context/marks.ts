/** Texts of files between marks that they can't close. */

/** A text between marks of this name; `about` goes into the first. What looks like such a mark in the text is shown with `(`. */
export function marked(name: string, text: string, about = ''): string {
  const markLike = new RegExp(`[<＜﹤‹](?=[\\s/／]*${name})`, 'gi');
  return `<${name}${about}>\n${text.replaceAll(markLike, '(').trimEnd()}\n</${name}>`;
}
