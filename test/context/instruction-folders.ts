/** A repository in memory with instruction files, and a session that works in it. */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { loadInstructions, type ReadableFolder } from '../../src/context/index.ts';
import { fold, View, type Draft, type Event, type SetupData } from '../../src/core/index.ts';

export const workspace = '/home/me/repo/work';
const home = '/home/me';

/** Files by absolute path, changed by setting them. */
export class MemoryFiles {
  readonly #files = new Map<string, { bytes: Buffer; version: number }>();
  #versions = 0;

  constructor(files: { [path: string]: string | Buffer } = {}) {
    for (const [path, text] of Object.entries(files)) this.set(path, text);
  }

  set(path: string, text: string | Buffer): void {
    this.#versions += 1;
    this.#files.set(this.at(path), { bytes: Buffer.from(text as string), version: this.#versions });
  }

  delete(path: string): void {
    this.#files.delete(this.at(path));
  }

  at(path: string): string {
    return path.startsWith('/') ? path : join(workspace, path);
  }

  within(folder: string): ReadableFolder {
    return {
      read: async (path) => {
        if (!path.startsWith(`${folder}/`)) return { refused: `it leads to ${path}, outside` };
        const bytes = this.#files.get(path)?.bytes;
        return bytes === undefined ? null : { path, bytes, hash: createHash('sha256').update(bytes).digest('hex') };
      },
      list: async (path) =>
        [...this.#files.keys()].filter((each) => dirname(each) === path).map((each) => each.slice(path.length + 1)),
      stamp: (path) => {
        const isFolder = [...this.#files.keys()].some((each) => each.startsWith(`${path.replace(/\/\.$/, '')}/`));
        return isFolder ? 'folder' : this.#files.get(path)?.version.toString();
      },
    };
  }
}

const suspicious = 'TAKE-OVER';

export async function instructionsOf(files: MemoryFiles, { bytes = 32_768, names = [] as string[] } = {}) {
  const { Instructions } = await loadInstructions();
  const project = files.within('/home/me/repo');
  const folders = ['/home/me/repo', workspace];
  return new Instructions({
    workspace,
    root: '/home/me/repo',
    home,
    names,
    bytes,
    start: [
      { folder: '/home/me/.config/reins', of: 'user', within: files.within(home) },
      ...folders.map((folder) => ({ folder, of: 'project' as const, within: project })),
    ],
    screening: {
      suspicions: async (text) => (text.includes(suspicious) ? [{ line: 1, quote: suspicious }] : []),
      show: (text) => text,
    },
  });
}

/** What stands at a start: paths, and what was left out. */
export async function standingOf(
  files: { [path: string]: string | Buffer },
  options: { bytes?: number; names?: string[] } = {},
) {
  const instructions = await instructionsOf(new MemoryFiles(files), options);
  const { setup, layer = '', leftOut } = await instructions.standing(new View());
  return {
    paths: setup.files.map(({ path }) => path),
    leftOut: Object.fromEntries(leftOut.map(({ path, why }) => [path, why])),
    layer,
  };
}

/** A session as its events: it can go on, and be cut back to an earlier one. */
export class Work {
  events: Event[] = [];
  view = new View();
  #next = 0;

  record(draft: Draft): void {
    this.#next += 1;
    const event = { id: `e${this.#next}`, parent: this.view.head, at: this.#next, ...draft };
    this.events.push(event);
    fold(this.view, event);
  }

  setup(data: Pick<SetupData, 'system' | 'instructions'>): void {
    this.record({ kind: 'setup', data: { tools: [], ...data } as unknown as SetupData });
  }

  /** A call that reads a path, with its result. */
  touch(path: string): void {
    this.record({
      kind: 'reply',
      data: {
        request: 'r',
        source,
        parts: [{ type: 'call', id: 'c', name: 'read', arguments: {} }],
        stop: 'calls',
        firstByte: 0,
        elapsed: 0,
      },
    });
    const call = `${this.view.head}/0`;
    const resources = [{ access: 'read' as const, path }];
    this.record({
      kind: 'verdict',
      data: { call, tool: 'read', decision: 'allow', by: 'mode', reason: '', arguments: {}, resources },
    });
    this.record({ kind: 'result', data: { call, tool: 'read', outcome: 'ok', text: 'x' } });
  }

  /** Turns before a share of them give way to a summary. */
  compact(share: number): void {
    const { segments } = this.view.transcript;
    const tail = segments[Math.floor(((segments.length - 1) * share) / 100)]?.id;
    if (tail === undefined) return;
    const gist = { tail, kept: [], shown: 'A summary.', files: { read: [], changed: [] } };
    this.record({ kind: 'compaction', data: { why: 'manual', elided: [], gist, before: 2, after: 1 } });
  }

  /** The setup stays the last one of the file, as on a real head that moves. */
  cutBackTo(length: number): void {
    const { setup } = this.view;
    this.events = this.events.slice(0, length);
    this.view = new View();
    for (const event of this.events) fold(this.view, event);
    if (setup !== undefined) this.view.setup = setup;
  }

  /** Everything that the next request says. */
  said(): string {
    const texts = this.view.transcript.segments.flatMap((segment) => segment.texts.map(({ text }) => text));
    return [...(this.view.setup?.system ?? []), ...texts].join('\n');
  }
}

const source = { provider: 'p', wire: 'w', model: 'm' };
