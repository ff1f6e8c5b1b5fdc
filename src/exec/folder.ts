/** In which folder a command starts, and which one it leaves for the next. */
import { isUtf8 } from 'node:buffer';
import { normalize } from 'node:path';
import { isWithin } from './paths.ts';

export interface FolderParts {
  workspace: string;
  sandboxed: boolean;
  /** Real path that was asked for. */
  asked: string;
}

/** Bytes of a path that a system call takes. */
const longestPath = 4096;

/** Where the shell is told to start. Without a sandbox that is in the workspace only: what a command does elsewhere must show in its text. */
export function startFolder({ workspace, sandboxed, asked }: FolderParts): string {
  return sandboxed || isWithin(asked, workspace) ? asked : workspace;
}

/**
 * Where the next command starts, and what is to be said about it. `started`, `left`: what the shell told, as bytes. In a sandbox any
 * folder stands that a command may see; one that is new for each command is gone then, and is told as such.
 */
export function nextFolder(
  parts: FolderParts,
  started: Buffer | undefined,
  left: Buffer | undefined,
): { folder?: string; notes: string[] } {
  const { workspace, sandboxed, asked } = parts;
  const wanted = startFolder(parts);
  const began = pathFrom(started) ?? wanted;
  const notes: string[] = [];
  if (wanted !== asked) notes.push(`${shown(asked)} is outside the workspace; the command ran in ${shown(began)}.`);
  else if (began !== wanted) notes.push(`The folder ${shown(asked)} is gone; the command ran in ${shown(began)}.`);
  // Nothing was told: where it left the shell isn't known, but where it was started is.
  if (left === undefined) return { ...(notes.length > 0 && { folder: began }), notes };
  const end = pathFrom(left);
  if (end === undefined) {
    notes.push(`The command ended in a folder whose name can’t be kept; the next one starts in ${shown(began)}.`);
    return { folder: began, notes };
  }
  if (sandboxed || isWithin(end, workspace)) return { folder: end, notes };
  notes.push(`The command ended in ${shown(end)}, outside the workspace; the next one starts in ${shown(began)}.`);
  return { folder: began, notes };
}

/** A path that can be named again; undefined for what is none or is no text. In a folder that is gone the shell adds dots. */
function pathFrom(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || bytes[0] !== 0x2f || bytes.length > longestPath || !isUtf8(bytes)) return undefined;
  return normalize(bytes.toString('utf8'));
}

/** A path within a sentence: in quotes where it holds what could be taken for something else. */
function shown(path: string): string {
  return /[\0-\x1f\x7f-\x9f]/.test(path) ? JSON.stringify(path) : path;
}
