/** Keeps every exchange of a transport as a cassette: a file each, numbered, whole or not there, for its owner alone. */
import { randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ReinsError, type Target } from '../../core/index.ts';
import type { HttpHead, HttpRequest, HttpSink, Transport } from '../network/index.ts';
import { secretsOf, type Headers } from '../failures/index.ts';
import { cassetteFormat, cassetteText, type Cassette, type Piece } from './cassette.ts';
import { edited, editedJson, editedPieces, type Editor } from './edits.ts';
import { fileOf, numberIn } from './folder.ts';
import type { Surroundings } from './normalise.ts';
import { redacted, secretsEditor } from './redact.ts';

/** A folder that a session records into, and the number of its next exchange. */
export interface RecordingFolder {
  folder: string;
  next: number;
}

/**
 * Makes the folder ready. A session that goes on adds to what is there; a new one wants a folder without cassettes. Rejects with
 * `usage-arguments` and `cassette-unwritable`.
 */
export async function openRecordingFolder(folder: string, goesOn: boolean): Promise<RecordingFolder> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (made !== undefined) await chmod(folder, 0o700);
    const numbers = (await readdir(folder)).map(numberIn).filter((number) => number !== undefined);
    if (numbers.length > 0 && !goesOn) {
      const what = numbers.length === 1 ? 'a cassette' : `${numbers.length} cassettes`;
      throw new ReinsError(
        'usage-arguments',
        `${folder} holds ${what} already; a new session records into a folder of its own.`,
      );
    }
    // Tried out before anything is paid for.
    const trial = join(folder, `.${randomUUID()}`);
    await writeFile(trial, '', { mode: 0o600, flag: 'wx' });
    await rm(trial);
    return { folder, next: Math.max(0, ...numbers) + 1 };
  } catch (error) {
    throw error instanceof ReinsError ? error : unwritable(folder, error);
  }
}

export interface RecordingOptions {
  folder: RecordingFolder;
  /** Whom a request goes to; there is no request to nobody. */
  target: (request: HttpRequest) => Target | undefined;
  surroundings: Surroundings;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The same transport; an exchange ends when its cassette is written. Rejects with `cassette-unwritable` where that fails. */
export function recordingTransport(inner: Transport, options: RecordingOptions): Transport {
  const { folder, target, now } = options;
  return {
    async exchange(request, sink) {
      const to = target(request);
      if (to === undefined) throw new ReinsError('defect', 'Nobody knows which model the request goes to.');
      const number = folder.next;
      folder.next += 1;
      const sentAt = now();
      const tape = new Tape(sink, () => now() - sentAt);
      const end = await inner.exchange(request, tape);
      const started = { number, sentAt, target: to, surroundings: options.surroundings };
      await keep(folder.folder, withoutKeys(started, request, tape, { ...end, at: now() - sentAt }));
      return end;
    },
    prepareConnection: (url) => inner.prepareConnection(url),
    close: () => inner.close(),
  };
}

/** Takes an answer down while it passes. */
class Tape implements HttpSink {
  received: (HttpHead & { at: number }) | undefined;
  readonly pieces: Piece[] = [];
  readonly #sink: HttpSink;
  readonly #elapsed: () => number;

  constructor(sink: HttpSink, elapsed: () => number) {
    this.#sink = sink;
    this.#elapsed = elapsed;
  }

  head(head: HttpHead): void {
    this.received = { ...head, at: this.#elapsed() };
    this.#sink.head(head);
  }

  data(chunk: Buffer): boolean {
    this.pieces.push({ at: this.#elapsed(), bytes: chunk });
    return this.#sink.data(chunk);
  }
}

type Started = Pick<Cassette, 'number' | 'sentAt' | 'target' | 'surroundings'>;

/** The headers of the request are not kept at all; what they hold is looked for everywhere else. */
function withoutKeys(started: Started, request: HttpRequest, tape: Tape, end: Cassette['end']): Cassette {
  const known = [...secretsOf(request.headers), ...secretsOf(Object.fromEntries(request.url.searchParams))];
  const editor = secretsEditor(known);
  const hide = (text: string): string => edited(text, editor(text));
  const path = hide(addressOf(request.url));
  const response = responseOf(tape, editor, hide);
  return {
    format: cassetteFormat,
    ...started,
    target: JSON.parse(editedJson(JSON.stringify(started.target), editor)) as Target,
    request: { path, body: editedJson(Buffer.from(request.body).toString('utf8'), editor) },
    ...(response !== undefined && { response }),
    end: hiddenEnd(end, hide),
  };
}

/** Path and query, without the values of what is named like a key. */
function addressOf({ pathname, search }: URL): string {
  const pairs = search
    .slice(1)
    .split('&')
    .map((pair) => {
      return pair.replace(/^([^=]*(?:key|token|secret|auth)[^=]*=).*/i, `$1${redacted}`);
    });
  return search === '' ? pathname : `${pathname}?${pairs.join('&')}`;
}

function hiddenEnd(end: Cassette['end'], hide: (text: string) => string): Cassette['end'] {
  return end.kind === 'broken' ? { ...end, message: hide(end.message) } : end;
}

/** Headers that say something about the answer; not those that say something about the account. */
const kept =
  /^(?:content-type|retry-after(?:-ms)?|x-should-retry|location|(?:.+-)?ratelimit(?:-.+)?|(?:.+-)?request-?id)$/;

function responseOf(tape: Tape, editor: Editor, hide: (text: string) => string): Cassette['response'] {
  const { received: head, pieces } = tape;
  if (head === undefined) return undefined;
  const names = Object.entries(head.headers).filter(([name]) => kept.test(name));
  const headers: Headers = Object.fromEntries(names.map(([name, value]) => [name, hide(value)]));
  const isStream = !/json|html/i.test(headers['content-type'] ?? '');
  const bytes = pieces.map((piece) => piece.bytes);
  const changed = editedPieces(bytes, isStream, editor);
  const { at, status } = head;
  return {
    at,
    status,
    headers,
    pieces: pieces.map((piece, index) => ({ at: piece.at, bytes: changed[index] ?? piece.bytes })),
  };
}

/** Written beside its place and moved there; a file that has the number already is another session's and stays. */
async function keep(folder: string, cassette: Cassette): Promise<void> {
  const file = join(folder, fileOf(cassette.number));
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    await writeFile(temporary, cassetteText(cassette), { mode: 0o600, flag: 'wx' });
    await chmod(temporary, 0o600);
    await place(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined); // The first failure is the one to be told.
    throw unwritable(file, error);
  }
}

async function place(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    // Some file systems know no links; there is only a moment then in which another could take the name.
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST' || (await exists(file));
    if (isTaken) throw new Error('it is there already: another session records into the same folder', { cause: error });
    await rename(temporary, file);
    return;
  }
  await rm(temporary);
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

function unwritable(path: string, error: unknown): ReinsError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ReinsError('cassette-unwritable', `The recording can’t be kept: ${path}: ${reason}.`, { cause: error });
}
