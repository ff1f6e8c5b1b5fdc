/** What a tool has in hand, for as long as its call goes on. */
import type { Files } from '../needs.ts';
import type { ToolContext } from '../tool.ts';

export interface Lease {
  context: Omit<ToolContext, 'signal'>;
  /** From here on nothing comes through: what a tool does later is no part of its call, nor of anybody else's. */
  end(): void;
}

const over = 'The call is over';

/** Reading goes on; what would show, keep, ask or change something doesn't. */
export function lend(context: Omit<ToolContext, 'signal'>): Lease {
  let ended = false;
  const { files } = context;
  const own: Files = {
    resolve: (path, access) => files.resolve(path, access),
    read: (path) => files.read(path),
    list: (path) => files.list(path),
    display: (path) => files.display(path),
    write: async (path, bytes, expected, like) =>
      ended ? { refused: `${over}; nothing was written.` } : files.write(path, bytes, expected, like),
    remove: async (path, expected) =>
      ended ? { refused: `${over}; nothing was removed.` } : files.remove(path, expected),
  };
  return {
    context: {
      ...context,
      files: own,
      output: (delta) => {
        if (!ended) context.output(delta);
      },
      keep: (bytes) => (ended ? Promise.reject(new Error(`${over}; nothing is kept.`)) : context.keep(bytes)),
      choose: async (question) => (ended ? undefined : context.choose(question)),
    },
    end: () => {
      ended = true;
    },
  };
}
