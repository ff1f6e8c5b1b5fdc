/** What search and find share: how the place is named in which nothing was found. */
import { visible } from '../text/index.ts';

/** `display`: the path as files are shown. */
export function whereShown(display: string): string {
  return display === '.' ? 'the workspace' : visible(display);
}
