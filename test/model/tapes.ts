/** Recording and playing back exchanges, for the tests of cassettes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  openRecordingFolder,
  readRecording,
  recordingTransport,
  replayTransport,
  type Surroundings,
} from '../../src/model/cassettes/index.ts';
import { createTransport, type Timeouts } from '../../src/model/index.ts';
import type { Story } from './loopback.ts';
import { now, request, rig, serve, setup, type Handler, type Rig } from './loopback.ts';

export const there: Surroundings = {
  workspace: '/work/there',
  home: '/home/there',
  temporary: ['/tmp'],
  session: 'a-b-c',
};
export const here: Surroundings = {
  workspace: '/work/here',
  home: '/home/here',
  temporary: ['/tmp'],
  session: 'd-e-f',
};

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'reins-tapes-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface RecordOptions {
  folder: string;
  goesOn?: boolean;
  surroundings?: Surroundings;
  timeouts?: Partial<Timeouts>;
  clock?: () => number;
}

/** A rig whose exchanges with a server are recorded. */
export async function recorder(t: TestContext, url: string, options: RecordOptions): Promise<Rig> {
  const folder = await openRecordingFolder(options.folder, options.goesOn ?? false);
  const inner = createTransport({ timeouts: options.timeouts ?? {} });
  t.after(() => inner.close());
  const transport = recordingTransport(inner, {
    folder,
    target: () => setup(),
    surroundings: options.surroundings ?? there,
    now: options.clock ?? (() => now),
  });
  return rig(t, url, { model: { transport } });
}

/** Records the requests of one story to a server with this handler; gives what came of the last. */
export async function recorded(t: TestContext, handler: Handler, story: Story, options: RecordOptions) {
  const server = await serve(t, handler);
  return request(await recorder(t, server.url, options), story);
}

export interface PlayOptions {
  tolerant?: boolean;
  goesOn?: boolean;
  surroundings?: Surroundings;
  notices?: string[];
  clock?: () => number;
}

/** A rig that plays a recording back; its address leads nowhere. */
export async function player(t: TestContext, folder: string, options: PlayOptions = {}): Promise<Rig> {
  const transport = replayTransport({
    cassettes: await readRecording(folder),
    tolerant: options.tolerant ?? false,
    goesOn: options.goesOn ?? false,
    surroundings: options.surroundings ?? here,
    now: options.clock ?? (() => now),
    notice: (text) => options.notices?.push(text),
  });
  return rig(t, 'http://replay.invalid', { model: { transport } });
}

/** The text of every file of a folder. */
export function filesIn(folder: string): { name: string; text: string }[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/** Changes a cassette on disk. */
export function rewrite(folder: string, name: string, change: (cassette: { [key: string]: unknown }) => void): void {
  const file = join(folder, name);
  const value = JSON.parse(readFileSync(file, 'utf8')) as { [key: string]: unknown };
  change(value);
  writeFileSync(file, JSON.stringify(value));
}
