/** What a snapshot says of itself, beside its trees. */
import type { Missing } from './snapshot.ts';

export interface About {
  /** Keys of absolute paths. */
  workspace: string;
  /** Folders with Git data outside of the workspace, in the order of their trees. */
  outside: string[];
  /** Folders with Git data, and files that point to one: -1 for one in the workspace, else the place of one outside; and the key of the path in it. */
  git: [number, string][];
  missing: Missing[];
  more: number;
}

const format = 1;

export function encodeAbout(about: About): Buffer {
  return Buffer.from(`${JSON.stringify({ format, ...about })}\n`);
}

/** Undefined for what isn't one. */
export function decodeAbout(bytes: Buffer): About | undefined {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as About & { format: number };
    return value.format === format ? value : undefined;
  } catch {
    return undefined; // it isn't what was written: the same as not there
  }
}
