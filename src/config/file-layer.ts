/** One settings file as a layer: its entries with their lines, or what is wrong with it. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { ReinsError } from '../core/index.ts';
import { entriesOf, type Entry } from './entries.ts';
import type { Problem } from './problem.ts';
import { printable } from './quote.ts';
import { readSettingsFile } from './read-file.ts';
import type { FileSettings } from './schema.ts';
import { isInside } from './workspace.ts';

export interface FileLayer {
  file: string;
  /** One that the command line names is the user's own, too. */
  from: 'user' | 'project' | 'command-line';
  /** SHA-256 of the bytes that were read: what is trusted is exactly what is used. */
  hash: string;
  content: Buffer;
  changedAt: Date;
  entries: Entry[];
  problems: Problem[];
}

interface LayerOptions {
  /** The file is the profile of this name. */
  profile?: string;
  workspace?: string;
}

/** Undefined where there is no file. One of a project must lie in its workspace, links resolved: nothing else is quoted to anybody. */
export async function readLayer(
  file: string,
  from: FileLayer['from'],
  { profile, workspace }: LayerOptions = {},
): Promise<FileLayer | undefined> {
  const read = readSettingsFile(file);
  if (read === undefined) return undefined;
  if ('unreadable' in read) return unusable(file, from, read.unreadable);
  if (workspace !== undefined && !liesIn(file, workspace)) {
    return unusable(file, from, 'The file is a link that leads out of the workspace, or lies behind one.');
  }
  const { bytes: content, changedAt } = read;
  const hash = createHash('sha256').update(content).digest('hex');
  return { file, from, hash, content, changedAt, ...(await interpret(content, file, from, profile)) };
}

function liesIn(file: string, workspace: string): boolean {
  try {
    return isInside(realpathSync(file), workspace);
  } catch {
    return false; // What was just read and is gone now is being moved about.
  }
}

function unusable(file: string, from: FileLayer['from'], text: string): FileLayer {
  const problem: Problem = { line: 1, column: 1, key: '', text };
  const nothing = { hash: '', content: Buffer.alloc(0), changedAt: new Date(0), entries: [] };
  return { file, from, ...nothing, problems: [problem] };
}

async function interpret(
  bytes: Buffer,
  file: string,
  from: FileLayer['from'],
  profile: string | undefined,
): Promise<Pick<FileLayer, 'entries' | 'problems'>> {
  // Most runs have no settings file: parser and validator are loaded only for those that have one.
  const { parseSettings, valueOf, lineOf } = await import('./parse.ts');
  const parsed = parseSettings(bytes);
  if (Array.isArray(parsed)) return { entries: [], problems: parsed };
  const { root, position } = parsed;
  if (root === undefined) return { entries: [], problems: [] };
  const { problemsOf } = await import('./validate.ts');
  const problems = problemsOf(root, position, { from, isProfile: profile !== undefined });
  if (problems.length > 0) return { entries: [], problems };
  const values = valueOf(root) as FileSettings;
  // A project stays one, so that what holds of it holds of its profiles.
  const layer = profile !== undefined && from === 'user' ? 'profile' : from;
  const entries = entriesOf(values, (path) => {
    return { layer, file, line: lineOf(root, path, position), ...(profile !== undefined && { profile }) };
  });
  return { entries, problems };
}

/** Throws `config-invalid`, or `config-untrusted`, with every mistake in these files. */
export function throwProblems(layers: (FileLayer | undefined)[]): void {
  const there = layers.filter((layer) => layer !== undefined);
  const found = there.flatMap(({ file, problems }) => problems.map((problem) => ({ file, ...problem })));
  if (found.length === 0) return;
  const lines = found.map(({ file, line, column, key, text }) => {
    const place = `${printable(file)}:${line}:${column}`;
    return key === '' ? `${place}: ${text}` : `${place}: ${key}: ${text}`;
  });
  const code = found.some(({ untrusted }) => untrusted === true) ? 'config-untrusted' : 'config-invalid';
  throw new ReinsError(
    code,
    lines.length === 1 ? String(lines[0]) : `${lines.length} mistakes in the settings:\n${lines.join('\n')}\n`,
  );
}
