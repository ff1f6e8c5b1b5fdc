/** The text of PDF files, page by page, in a worker: reading one can take all of a processor and as long as it likes. */
import type * as reader from 'unpdf';
import { messageOf } from '../outcome.ts';
import { inTurn, late } from './in-turn.ts';

export interface PdfText {
  /** Pages that the document says it has. */
  of: number;
  /** The text of the pages from the first on that were read; empty for a page without any. */
  pages: string[];
  /** Why there are no more pages, where there are none. */
  stopped?: string;
}

export interface PdfOptions {
  signal: AbortSignal;
  /** Milliseconds; 10,000 when left out. */
  limit?: number;
}

/** Bytes of the largest file that is read. */
const largestPdf = 30 * 1024 * 1024;
const usualLimit = 10_000;
/** Characters of text after which no further page is read. */
const mostText = 4_000_000;
/** Megabytes that the worker's objects may take. */
const mostObjects = 512;
/** Bytes by which the process may grow meanwhile, buffers of the worker included: few bytes of a file can unpack to gigabytes. */
const mostGrowth = 768 * 1024 * 1024;
/** Milliseconds between two looks at that. */
const lookEvery = 50;

/** Reads a PDF. A problem: why it can’t be read at all. */
export async function readPdf(bytes: Buffer, options: PdfOptions): Promise<PdfText | { problem: string }> {
  if (bytes.length > largestPdf) {
    return { problem: `it has more than ${largestPdf / 1024 / 1024} MB, which is the most that is read here` };
  }
  const { limit = usualLimit, signal } = options;
  const text: PdfText = { of: 0, pages: [] };
  const done = await inTurn((over) => readInto(text, bytes, over), { limit, signal });
  if (done !== late && done !== undefined) return { problem: done };
  if (text.pages.length === text.of && text.of > 0) return text;
  const stopped = text.stopped ?? (done === late ? lateText(limit, signal) : 'its reader ended before');
  return text.pages.length === 0 ? { problem: `it couldn’t be read: ${stopped}` } : { ...text, stopped };
}

function lateText(limit: number, signal: AbortSignal): string {
  return signal.aborted ? 'it was cancelled' : `that took longer than ${limit / 1000} seconds`;
}

/** What the worker says: how many pages there are, the next page, why nothing more will come, or that it was all. */
type Said = { of: number } | { page: string } | { failed: string; message: string } | 'end';

/** Fills in pages as they come; gives the reason where the document can’t be read at all. */
async function readInto(text: PdfText, bytes: Buffer, over: AbortSignal): Promise<string | typeof late | undefined> {
  const { Worker } = await import('node:worker_threads');
  if (over.aborted) return late;
  const worker = new Worker(`(${extract.toString()})()`, {
    eval: true,
    workerData: { bytes: new Uint8Array(bytes), reader: import.meta.resolve('unpdf') },
    // What the reader has to say about a file is no output of this program.
    stdout: true,
    stderr: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: mostObjects },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const { promise, resolve } = Promise.withResolvers<string | typeof late | undefined>();
  const stop = (reason: string): void => {
    text.stopped ??= reason;
    resolve(undefined);
  };
  let characters = 0;
  worker.on('message', (said: Said) => {
    if (said === 'end') return resolve(undefined);
    if ('failed' in said) {
      if (text.pages.length === 0) return resolve(problemOf(said.failed, said.message));
      return stop(`the next page can’t be read (${said.message})`);
    }
    if ('of' in said) return void (text.of = said.of);
    text.pages.push(said.page);
    characters += said.page.length;
    if (characters > mostText) stop('that is as much text as is read at once');
  });
  worker.on('error', (error) => stop(`it is too complicated (${messageOf(error)})`));
  worker.on('exit', () => resolve(undefined));
  over.addEventListener('abort', () => resolve(late), { once: true });
  const watch = watchGrowth(() => stop('it takes too much memory'));
  try {
    return await promise;
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}

function watchGrowth(tooMuch: () => void): NodeJS.Timeout {
  const before = process.memoryUsage.rss();
  return setInterval(() => {
    if (process.memoryUsage.rss() - before > mostGrowth) tooMuch();
  }, lookEvery);
}

function problemOf(name: string, message: string): string {
  if (name === 'PasswordException') return 'it is encrypted and opens only with a password';
  return `it is damaged or no PDF after all (${message})`;
}

/**
 * What runs in the worker. It is handed over as text, so that it is found in the same way from the sources, the library and the
 * bundle; so it may use nothing from outside itself.
 */
async function extract(): Promise<void> {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { bytes, reader: address } = workerData as { bytes: Uint8Array; reader: string };
  const say = (said: Said): void => parentPort?.postMessage(said, []);
  try {
    const { getDocumentProxy } = (await import(address)) as typeof reader;
    const document = await getDocumentProxy(bytes, { verbosity: 0 });
    say({ of: document.numPages });
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      say({ page: text });
      page.cleanup();
    }
    say('end');
  } catch (error) {
    const { name, message } = error as Error;
    say({ failed: name, message });
  }
}
