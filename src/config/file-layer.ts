/** One settings file as a layer: its entries with their lines, or what is wrong with it. */
import { createHash } from 'node:crypto';
import { entriesOf, type Entry } from './entries.ts';
import type { Problem } from './problem.ts';
import { readSettingsFile } from './read-file.ts';
import type { FileSettings } from './schema.ts';

export interface FileLayer {
  file: string;
  from: 'user' | 'project';
  /** SHA-256 of the bytes that were read: what is trusted is exactly what is used. */
  hash: string;
  changedAt: Date;
  entries: Entry[];
  problems: Problem[];
}

/** Undefined where there is no file. */
export async function readLayer(file: string, from: FileLayer['from']): Promise<FileLayer | undefined> {
  const content = readSettingsFile(file);
  if (content === undefined) return undefined;
  if ('unreadable' in content) {
    const problem: Problem = { line: 1, column: 1, key: '', text: content.unreadable };
    return { file, from, hash: '', changedAt: new Date(0), entries: [], problems: [problem] };
  }
  const hash = createHash('sha256').update(content.bytes).digest('hex');
  return { file, from, hash, changedAt: content.changedAt, ...(await interpret(content.bytes, file, from)) };
}

async function interpret(
  bytes: Buffer,
  file: string,
  from: FileLayer['from'],
): Promise<Pick<FileLayer, 'entries' | 'problems'>> {
  // Most runs have no settings file: parser and validator are loaded only for those that have one.
  const { parseSettings, valueOf, lineOf } = await import('./parse.ts');
  const parsed = parseSettings(bytes);
  if (Array.isArray(parsed)) return { entries: [], problems: parsed };
  const { root, position } = parsed;
  if (root === undefined) return { entries: [], problems: [] };
  const { problemsOf } = await import('./validate.ts');
  const problems = problemsOf(root, position, from);
  if (problems.length > 0) return { entries: [], problems };
  const values = valueOf(root) as FileSettings;
  const entries = entriesOf(values, (path) => ({ layer: from, file, line: lineOf(root, path, position) }));
  return { entries, problems };
}
