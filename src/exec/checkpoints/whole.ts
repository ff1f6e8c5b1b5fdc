/** A look at the whole workspace, as it stands in the queue. */
import type { ByteText } from './names.ts';
import type { Overlay, Preset } from './overlay.ts';
import type { Recorded } from './records.ts';

/** Milliseconds that one who asked for some paths waits for it, before they are looked at by themselves. */
const patience = 250;

export interface Whole {
  done: Promise<Recorded>;
  isLarge: Promise<void>;
  markLarge: () => void;
  hasBegun: boolean;
  /** Somebody wants the snapshot itself, not only those that wait for it. */
  isAwaited: boolean;
  /** Nobody needs it any more. */
  isAbandoned: boolean;
  /** What was known of paths before it came to them. */
  presets: Map<ByteText, Preset>;
  /** Snapshots that wait for it, in their order. */
  waiting: { record: Recorded; overlay: Overlay }[];
}

export function newWhole(): Whole {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = Promise.reject(new Error('it has not begun'));
  done.catch(() => undefined); // replaced before anybody sees it
  return {
    done,
    isLarge: promise,
    markLarge: resolve,
    hasBegun: false,
    isAwaited: false,
    isAbandoned: false,
    presets: new Map(),
    waiting: [],
  };
}

/** Whether a look at the whole ends soon. What goes wrong in it is told to those who wait for it. */
export async function isSoonDone(whole: Whole): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), patience);
  try {
    const done = whole.done.then(
      () => true,
      () => true,
    );
    return await Promise.race([done, whole.isLarge.then(() => false), promise]);
  } finally {
    clearTimeout(timer);
  }
}
