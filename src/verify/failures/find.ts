/** Finds in the output of a check what failed and where. */
import { stripVTControlCharacters } from 'node:util';
import type { CheckFinding } from '../../core/index.ts';
import { formats, type Format } from './formats.ts';

/** Lines after its first that belong to a failure. */
const longestFailure = 40;
/** Characters of a line that are looked at, and of a text that is kept. */
const longestLine = 1000;
const longestText = 300;

interface Found {
  format: Format;
  finding: CheckFinding;
  title?: string;
  /** The lines that tell of it: the first, and the one behind the last. */
  from: number;
  to: number;
}

export interface Failure {
  finding: CheckFinding;
  from: number;
  to: number;
  /** More than its first line tells of it. */
  isBlock: boolean;
}

/** The output as lines without what only a terminal shows. */
export function linesOf(output: string): string[] {
  return stripVTControlCharacters(output).split(/\r?\n/);
}

/** In the order of the output. A failure without a place counts only where its runner names no places at all. */
export function failuresIn(lines: readonly string[]): Failure[] {
  const found = scan(lines).filter(({ format, finding }) => format.needsText !== true || finding.text !== '');
  const placing = new Set(found.filter(hasLine).map(({ format }) => format.name));
  const kept = found.filter((each) => hasLine(each) || !placing.has(each.format.name));
  const seen = new Set<string>();
  return kept.flatMap(({ format, finding, title, from, to }) => {
    const text = [title, finding.text].filter((part) => part !== undefined && part !== '').join(': ');
    const whole = { ...finding, text: text.slice(0, longestText) };
    const key = JSON.stringify(whole);
    if (text === '' || seen.has(key)) return [];
    seen.add(key);
    return [{ finding: whole, from, to, isBlock: (format.place ?? format.text) !== undefined }];
  });
}

const hasLine = ({ finding }: Found): boolean => finding.line !== undefined;

function scan(lines: readonly string[]): Found[] {
  const found: Found[] = [];
  const headings = new Map<Format, string>();
  let current: Found | undefined;
  for (const [index, whole] of lines.entries()) {
    const line = whole.slice(0, longestLine);
    for (const format of formats) {
      const file = format.heading?.exec(line)?.groups?.['file'];
      if (file !== undefined) headings.set(format, file);
    }
    const opened = openedBy(line, index, headings);
    if (opened !== undefined) {
      if (current !== undefined) current.to = Math.min(current.to, index);
      found.push(opened);
      current = opened;
    }
    if (current !== undefined && index < current.to) extend(current, line, index === current.from);
  }
  return found;
}

function openedBy(line: string, index: number, headings: ReadonlyMap<Format, string>): Found | undefined {
  for (const format of formats) {
    const match = format.opens.exec(line);
    if (match === null) continue;
    const groups = match.groups ?? {};
    const file = groups['file'] ?? headings.get(format);
    const { title, text = '' } = groups;
    const finding = { ...(file !== undefined && { file }), ...numbersIn(groups), text };
    return { format, finding, ...(title !== undefined && { title }), from: index, to: index + longestFailure };
  }
  return undefined;
}

function extend(found: Found, line: string, isFirst: boolean): void {
  const { format, finding } = found;
  const place = format.place?.exec(line)?.groups;
  if (place?.['file'] !== undefined && (finding.line === undefined || format.lastPlace === true)) {
    Object.assign(finding, { file: place['file'], ...numbersIn(place) });
  }
  const isSaidHere = !isFirst || format.needsText === true;
  const text = isSaidHere && finding.text === '' ? format.text?.exec(line)?.groups?.['text'] : undefined;
  if (text !== undefined) finding.text = text.trim();
  const title = found.title === undefined ? format.title?.exec(line)?.groups?.['title'] : undefined;
  if (title !== undefined) found.title = title.trim();
}

function numbersIn({ line, column }: { [name: string]: string | undefined }): Pick<CheckFinding, 'line' | 'column'> {
  return {
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
  };
}
