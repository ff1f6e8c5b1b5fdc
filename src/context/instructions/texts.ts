/** The texts in which instruction files reach the model. */
import { marked } from '../marks.ts';
import { standingFragments } from '../prompt/index.ts';

export interface ShownFile {
  path: string;
  text: string;
}

function markedFile({ path, text }: ShownFile): string {
  return marked('instructions', text, ` path=${JSON.stringify(path)}`);
}

/** `unread`: files for which there is no room. */
export function standingLayer(files: readonly ShownFile[], unread: readonly string[]): string | undefined {
  if (files.length === 0) return undefined;
  return [standingFragments.instructions.text, ...files.map(markedFile), ...unreadText(unread)].join('\n');
}

export interface Told {
  /** Files that come in, and those of which another text was told before. */
  added: ShownFile[];
  changed: ShownFile[];
  /** Files whose present text stands further up already. */
  again: string[];
  gone: string[];
  /** Files for which there is no room. */
  unread: string[];
}

const list = (paths: readonly string[]): string => paths.map((path) => JSON.stringify(path)).join(', ');

function unreadText(unread: readonly string[]): string[] {
  if (unread.length === 0) return [];
  return [`There is no room here for ${list(unread)}: read it before you change anything beside it.`];
}

/** In the middle of a session. */
export function toldText({ added, changed, again, gone, unread }: Told): string {
  const parts = [
    ...(added.length === 0
      ? []
      : [
          'Instructions of folders that you work in; there they go before those of the folders above:',
          ...added.map(markedFile),
        ]),
    ...(changed.length === 0
      ? []
      : [
          'These instruction files have changed; each takes the place of what it said before:',
          ...changed.map(markedFile),
        ]),
    ...(again.length === 0 ? [] : [`What was first told of ${list(again)} holds again.`]),
    ...(gone.length === 0 ? [] : [`What was told of ${list(gone)} holds no longer.`]),
    ...unreadText(unread),
  ];
  return parts.join('\n');
}
