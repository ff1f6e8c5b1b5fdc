/** A folder that is held open, so that names in it can't be led elsewhere by whoever swaps folders above it for links. */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  type BigIntStats,
} from 'node:fs';
import { systemPath, type ByteText } from './names.ts';
import { isAlive } from '../process/index.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
const descriptors = existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined;
const temporary = /^\.reins-(\d+)-[0-9a-f]{16}\.tmp$/;

export class HeldFolder {
  readonly #file: number;
  readonly #path: ByteText;

  /** Opens `steps` below a real path. Throws the system's error where one of them is no folder. `makes`: missing ones are made. */
  constructor(root: ByteText, steps: readonly ByteText[], makes: boolean) {
    let file = openSync(systemPath(root), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    let path = root;
    for (const step of steps) {
      const around = file;
      try {
        const next = pathIn(around, path, step);
        if (makes) makeFolder(next);
        file = openSync(systemPath(next), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      } finally {
        closeSync(around);
      }
      path = `${path}/${step}`;
    }
    this.#file = file;
    this.#path = path;
    if (descriptors !== undefined || realpathSync.native(systemPath(path), 'latin1') === path) return;
    closeSync(file);
    throw Object.assign(new Error('a folder was moved'), { code: 'ENOTDIR' });
  }

  pathOf(name: ByteText): ByteText {
    return pathIn(this.#file, this.#path, name);
  }

  status(): BigIntStats {
    return fstatSync(this.#file, { bigint: true });
  }

  /** Removes what writers that were killed have left here. */
  clean(): void {
    for (const name of readdirSync(systemPath(this.pathOf('.')), { encoding: 'latin1' })) {
      const [, writer] = temporary.exec(name) ?? [];
      if (writer !== undefined && !isAlive(Number(writer))) {
        rmSync(systemPath(this.pathOf(name)), { force: true, recursive: true });
      }
    }
  }

  /** Has the folder's entries survive the end of the machine. */
  sync(): void {
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function pathIn(file: number, path: ByteText, name: ByteText): ByteText {
  return descriptors === undefined ? `${path}/${name}` : `${descriptors}/${file}/${name}`;
}

function makeFolder(path: ByteText): void {
  try {
    mkdirSync(systemPath(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
