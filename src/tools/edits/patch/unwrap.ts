/** Takes off what models put around a patch, where that changes nothing in it. */
import { cutLine, visible } from '../../text/index.ts';
import type { Problem } from './operations.ts';

export const beginMarker = '*** Begin Patch';
export const endMarker = '*** End Patch';

const shown = 80;

/** The lines between the two markers; the number of the first of them in the text as it was sent, from 1. */
export interface Body {
  lines: string[];
  first: number;
}

interface Window {
  lines: string[];
  from: number;
  /** Not included. */
  to: number;
}

export function unwrap(text: string): Body | Problem {
  const lines = text.split('\n');
  const window = withoutWrappings({ lines, from: 0, to: lines.length });
  if ('problem' in window) return window;
  const first = lines[window.from] ?? '';
  const last = lines[window.to - 1] ?? '';
  if (first.trim() !== beginMarker) return noBegin(window, first);
  if (last.trimEnd() !== endMarker) return noEnd(window, last);
  return { lines: lines.slice(window.from + 1, window.to - 1), first: window.from + 2 };
}

/** Blank lines, a code fence and a here-document around the patch, in whatever order they are nested. */
function withoutWrappings(window: Window): Window | Problem {
  const inner = withoutBlankLines(window);
  const first = inner.lines[inner.from]?.trim() ?? '';
  const last = inner.lines[inner.to - 1]?.trim() ?? '';
  const fence = /^(`{3,}|~{3,})[\w-]*$/.exec(first)?.[1];
  if (fence !== undefined && last === fence && inner.to - inner.from > 1) return withoutWrappings(within(inner));
  const [, quote, word] = /^(?:apply_patch\s*)?<<\s*(['"]?)(\w+)\1$/.exec(first) ?? [];
  if (word === undefined || inner.to - inner.from < 2) return inner;
  if (last !== word) {
    return problemAt(inner.to, `the text after “${first}” must end with a line “${word}” and nothing after it`, last);
  }
  // A shell would replace what these begin, so what was meant can't be told.
  const expands = inner.lines.slice(inner.from + 1, inner.to - 1).findIndex((line) => /[$`\\]/.test(line));
  if (quote === '' && expands !== -1) {
    return problemAt(
      inner.from + expands + 2,
      `in an unquoted here-document “$”, “\`” and “\\” would stand for something else. Send the patch without “${first}”`,
      inner.lines[inner.from + 1 + expands] ?? '',
    );
  }
  return withoutWrappings(within(inner));
}

function within({ lines, from, to }: Window): Window {
  return { lines, from: from + 1, to: to - 1 };
}

function withoutBlankLines({ lines, from, to }: Window): Window {
  let first = from;
  let end = to;
  while (first < end && lines[first]?.trim() === '') first += 1;
  while (end > first && lines[end - 1]?.trim() === '') end -= 1;
  return { lines, from: first, to: end };
}

function noBegin(window: Window, first: string): Problem {
  if (window.from >= window.to) return { problem: `The patch is empty. It begins with “${beginMarker}”.` };
  if (/^(---|\+\+\+|diff |Index: )/.test(first)) {
    return problemAt(
      window.from + 1,
      `that is a unified diff. Here a patch begins with “${beginMarker}”, names each file in a line like “*** Update File: path”, and has “@@” without numbers`,
      first,
    );
  }
  const later = window.lines.findIndex((line) => line.trim() === beginMarker);
  const why =
    later === -1
      ? `a patch begins with the line “${beginMarker}”`
      : `nothing may stand before “${beginMarker}” (line ${later + 1})`;
  return problemAt(window.from + 1, why, first);
}

function noEnd(window: Window, last: string): Problem {
  const earlier = window.lines.findLastIndex((line) => line.trimEnd() === endMarker);
  const why =
    earlier === -1
      ? `a patch ends with the line “${endMarker}”, which is missing; perhaps the patch was cut`
      : `nothing may stand after “${endMarker}” (line ${earlier + 1}). Put all files into one patch`;
  return problemAt(window.to, why, last);
}

/** A problem at a line of the patch, with the line. */
export function problemAt(line: number, why: string, text: string): Problem {
  const excerpt = text === '' ? '' : `\n${line}\t${cutLine(visible(text.replace(/\r$/, '')), shown)}`;
  return { problem: `Line ${line} of the patch: ${why}.${excerpt}` };
}
