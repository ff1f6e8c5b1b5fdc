/** Instruction files in force and left out, for people. */
import { grouped, plural, type ContextReport } from '../../../harness/index.ts';
import { oneLine } from '../printable.ts';
import { tableLines } from './table.ts';
import type { Style } from './style.ts';

type Report = ContextReport['instructions'];

export function instructionLines({ files, leftOut, bytes }: Report, style: Style): string[] {
  return [...inForceLines(files, bytes, style), ...leftOutLines(leftOut)];
}

function inForceLines(files: Report['files'], bytes: number, style: Style): string[] {
  if (files.length === 0) return ['No instruction files are in force.'];
  const rows = files.map(({ path, bytes: whole, shown, since }) => [
    `  ${oneLine(path)}`,
    shown === undefined ? grouped(whole) : `${grouped(shown)} of ${grouped(whole)}`,
    since === 'later' ? 'came in later' : '',
  ]);
  const [head = '', ...lines] = tableLines([['  file', 'bytes', ''], ...rows], style.width);
  const sum = `${plural(files.length, 'instruction file')} in force with ${grouped(bytes)} bytes, the nearest last:`;
  return [sum, style.dim(head), ...lines];
}

function leftOutLines(leftOut: Report['leftOut']): string[] {
  if (leftOut.length === 0) return [];
  return ['', 'Left out:', ...leftOut.map(({ path, why }) => `  ${oneLine(path)}: ${oneLine(why)}`)];
}
