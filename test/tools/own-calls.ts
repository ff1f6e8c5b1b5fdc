/** A session of tools whose way of calls is made of parts of the test's own. */
import type { EventData, Notification } from '../../src/core/index.ts';
import { createFiles } from '../../src/exec/index.ts';
import { recordingApprover } from '../../src/testing/index.ts';
import { createCalls, foldKnown, nothingKnown, type CallsOptions } from '../../src/tools/index.ts';
import { toolSession, type Asked, type SessionOptions } from './session.ts';

export async function ownCalls({ own = {}, ...options }: SessionOptions & { own?: Partial<CallsOptions> }) {
  const session = await toolSession(options);
  const { workspace, recorder, log, registry, policy, reply, open, results } = session;
  const known = nothingKnown();
  recorder.listen((event) => void foldKnown(known, event));
  const blobs = new Map<string, Buffer>();
  const notes: Notification[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const calls = createCalls({
    registry,
    policy,
    approver: options.approver ?? recordingApprover(),
    files: createFiles({ workspace: workspace.path }),
    blobs: {
      put: async (bytes) => {
        const name = `blob-${blobs.size}`;
        blobs.set(name, bytes);
        return name;
      },
    },
    clock: options.clock ?? { now: () => Date.now(), sleep: () => new Promise(() => undefined) },
    beforeEffect: () => log.sync(),
    known,
    workspace: workspace.path,
    random: () => 0,
    ...(options.hooks !== undefined && { hooks: options.hooks }),
    ...own,
  });
  const run = (): Promise<void> => calls.run(open(), recorder.record, signal, (note) => notes.push(note));
  return {
    ...session,
    calls,
    notes,
    signal,
    run,
    cancel: () => controller.abort(),
    /** The results of calls of one reply, in the order of the calls. */
    async callAll(asked: Asked[]): Promise<EventData['result'][]> {
      await reply(asked);
      const keys = open().map(({ key }) => key);
      await run();
      return keys.map((key) => results().find(({ call }) => call === key)!);
    },
    async call(...asked: Asked): Promise<EventData['result']> {
      await reply([asked]);
      await run();
      return results().at(-1)!;
    },
    start: (): EventData['start'][] => log.events.flatMap((event) => (event.kind === 'start' ? [event.data] : [])),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}
