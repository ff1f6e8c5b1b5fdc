/** What a file tool would change: the tool itself at work, over files that only take note of what would be written. */
import { createHash } from 'node:crypto';
import type { CallOutcome } from '../../core/index.ts';
import type { FileState, Files } from '../needs.ts';
import type { AnalysisContext, PlannedChange, Preview, ToolContext } from '../tool.ts';

type Execute<Arguments> = (
  args: Arguments,
  context: ToolContext,
) => CallOutcome | string | Promise<CallOutcome | string>;

/** The preview of a tool that touches the world by `files` alone. */
export function previewOf<Arguments>(execute: Execute<Arguments>) {
  return async (args: Arguments, context: AnalysisContext): Promise<Preview> => {
    const files = new NotingFiles(context.files);
    const outcome = await execute(args, { ...context, ...idle, files: files.asFiles() });
    if (typeof outcome === 'object' && outcome.outcome !== 'ok') return { fails: outcome.text };
    return files.changes();
  };
}

const idle = {
  call: '',
  signal: new AbortController().signal,
  output: () => undefined,
  keep: () => Promise.reject(new Error('A preview keeps nothing.')),
  choose: () => Promise.resolve(undefined),
  withoutSecrets: (text: string) => text,
};

class NotingFiles {
  readonly #files: Files;
  readonly #noted = new Map<string, PlannedChange>();

  constructor(files: Files) {
    this.#files = files;
  }

  asFiles(): Files {
    const files = this.#files;
    return {
      resolve: (path, access) => files.resolve(path, access),
      read: (path) => this.#read(path),
      write: async (path, bytes) => {
        await this.#note(path, bytes);
        return hashOf(bytes);
      },
      remove: async (path) => {
        await this.#note(path, null);
        return null;
      },
      display: (path) => files.display(path),
      list: (path) => files.list(path),
    };
  }

  changes(): PlannedChange[] {
    return [...this.#noted.values()];
  }

  /** A file as the call has left it by now. */
  async #read(path: string): Promise<FileState | null | { refused: string }> {
    const noted = this.#noted.get(path);
    if (noted === undefined) return this.#files.read(path);
    return noted.after === null ? null : { path, bytes: noted.after, hash: hashOf(noted.after) };
  }

  async #note(path: string, after: Buffer | null): Promise<void> {
    const noted = this.#noted.get(path);
    const present = noted === undefined ? await this.#files.read(path) : undefined;
    const before =
      noted?.before ?? (present === undefined || present === null || 'refused' in present ? null : present.bytes);
    this.#noted.set(path, { path: this.#files.display(path), before, after });
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
