/**
 * The inbox of a session: whoever may writes messages there, each a file that appears whole by a rename; the holder of the
 * session's lock takes them into the log, in the order of their names.
 */
import { randomUUID } from 'node:crypto';
import { watch as watchFolder, type FSWatcher } from 'node:fs';
import { lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ReinsError } from '../core/index.ts';
import {
  errorCode,
  fileMode,
  inboxFolder,
  makeFolder,
  reasonOf,
  rejectedFolder,
  syncFolder,
  unwritable,
} from './folders.ts';
import { Identifiers } from './identifiers.ts';
import { parseMessage, type InboxMessage, type MessageName } from './inbox-message.ts';

/** A message that waits in the inbox. */
export interface Delivery {
  name: MessageName;
  message: InboxMessage;
  /** Takes it out of the inbox: for when it is durable in the log. A crash before leaves it there, and its name in the log. */
  taken(): Promise<void>;
  /** Moves it aside instead, because it can't be recorded. */
  reject(): Promise<void>;
}

/** A file that was no message; it was moved to `inbox/rejected`. */
export interface Rejection {
  name: MessageName;
  why: string;
}

const suffix = '.json';
/** Bytes; a longer file is no message, and isn't read. */
const longestMessage = 16 * 1024 * 1024;
/** Milliseconds between looks into the inbox where the system doesn't tell of changes. */
const pollEvery = 1000;

/** Names of messages that one process drops keep its order. */
const names = new Identifiers();

/** Drops a message for a session, durably and in one step, and gives its name. Rejects with `state-unwritable`. */
export async function drop(sessionFolder: string, message: InboxMessage): Promise<MessageName> {
  const folder = inboxFolder(sessionFolder);
  const name = `${names.next(Date.now())}${suffix}`;
  const temporary = join(folder, `.${randomUUID()}`);
  makeFolder(folder);
  try {
    const file = await open(temporary, 'wx', fileMode);
    try {
      await file.chmod(fileMode);
      await file.writeFile(JSON.stringify(message));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, name));
    syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(folder, error);
  }
  return name;
}

export class Inbox {
  readonly #sessionFolder: string;
  readonly #folder: string;
  /** Files that could be neither taken nor moved: named once and passed over from then on. */
  readonly #stuck = new Set<MessageName>();

  constructor(sessionFolder: string) {
    this.#sessionFolder = sessionFolder;
    this.#folder = inboxFolder(sessionFolder);
  }

  /**
   * The messages that wait, in order. Those that `isRecorded` knows from the log are only taken away: a crash came between
   * recording and taking them. What is no message is moved aside and named.
   */
  async drain(
    isRecorded: (name: MessageName) => boolean,
  ): Promise<{ deliveries: Delivery[]; rejections: Rejection[] }> {
    const deliveries: Delivery[] = [];
    const rejections: Rejection[] = [];
    for (const name of await this.#waiting()) {
      if (isRecorded(name)) {
        await this.#remove(name);
        continue;
      }
      const message = await this.#read(name);
      if (message === undefined) continue;
      if ('malformed' in message) {
        rejections.push({ name, why: message.malformed + (await this.#reject(name)) });
        continue;
      }
      deliveries.push({
        name,
        message,
        taken: () => this.#remove(name),
        reject: async () => void (await this.#reject(name)),
      });
    }
    return { deliveries, rejections };
  }

  /**
   * Calls back when messages may have come, and at once when some wait already; gives the function that ends it. It keeps no
   * process alive. Where the system can't tell of changes, it looks once a second.
   */
  watch(callback: () => void): () => void {
    makeFolder(this.#folder);
    let watcher: FSWatcher | undefined;
    let ended = false;
    const look = async (): Promise<void> => {
      const waiting = await this.#waiting().catch(() => []); // It is looked into again; draining it says what is wrong.
      if (waiting.length > 0 && !ended) callback();
    };
    try {
      watcher = watchFolder(this.#folder, { persistent: false }, () => void look());
      watcher.on('error', () => watcher?.close()); // The regular look goes on.
    } catch {
      // No watch can be had (the system has a limit on them): the regular look is enough.
    }
    const timer = setInterval(() => void look(), pollEvery);
    timer.unref();
    void look();
    return () => {
      ended = true;
      clearInterval(timer);
      watcher?.close();
    };
  }

  async #waiting(): Promise<MessageName[]> {
    let found: string[];
    try {
      found = await readdir(this.#folder);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw new ReinsError('log-unreadable', `${this.#folder} can’t be read: ${reasonOf(error)}.`, { cause: error });
    }
    return found.filter((name) => name.endsWith(suffix) && !name.startsWith('.') && !this.#stuck.has(name)).sort();
  }

  /** The message in a file; undefined when the file is gone. */
  async #read(name: MessageName): Promise<InboxMessage | { malformed: string } | undefined> {
    const path = join(this.#folder, name);
    try {
      // Anything but a plain file (a pipe, a link) could block or lead elsewhere.
      const found = await lstat(path);
      if (!found.isFile()) return { malformed: 'it isn’t a plain file' };
      if (found.size > longestMessage) return { malformed: `it has ${found.size} bytes` };
      return parseMessage(await readFile(path));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      return { malformed: `it can’t be read: ${reasonOf(error)}` };
    }
  }

  async #remove(name: MessageName): Promise<void> {
    try {
      await rm(join(this.#folder, name), { force: true });
    } catch {
      this.#stuck.add(name); // It is recorded, and its name keeps it from being taken again.
    }
  }

  /** Moves a file aside, under another name where its own is taken; says what kept it from that. */
  async #reject(name: MessageName): Promise<string> {
    const folder = rejectedFolder(this.#sessionFolder);
    try {
      makeFolder(folder);
      const taken = (await readdir(folder)).includes(name);
      await rename(join(this.#folder, name), join(folder, taken ? `${randomUUID()}-${name}` : name));
      return '';
    } catch (error) {
      this.#stuck.add(name);
      return `; it stays where it is: ${reasonOf(error)}`;
    }
  }
}
