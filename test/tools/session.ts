/** A session of tools over a real workspace: the model's calls go in by the log, results are read from it. */
import { createHash } from 'node:crypto';
import {
  openCalls,
  Recorder,
  View,
  type Approver,
  type Clock,
  type Event,
  type EventData,
  type JsonObject,
  type Notification,
  type OpenCall,
} from '../../src/core/index.ts';
import { createFiles } from '../../src/exec/index.ts';
import { createPolicy, loadContent, type PolicyOptions } from '../../src/safety/index.ts';
import {
  memoryLog,
  recordingApprover,
  temporaryWorkspace,
  type TemporaryWorkspaceOptions,
} from '../../src/testing/index.ts';
import {
  builtinTools,
  createCalls,
  createRegistry,
  foldKnown,
  nothingKnown,
  type CallHook,
  type Files,
  type Shell,
  type Tool,
} from '../../src/tools/index.ts';
import { folderShell } from './folder-shell.ts';

export interface SessionOptions {
  files?: TemporaryWorkspaceOptions['files'];
  tools?: Tool[];
  policy?: Partial<Omit<PolicyOptions, 'workspace'>>;
  approver?: Approver;
  hooks?: CallHook[];
  shell?: Shell;
  /** Wraps the files of the workspace. */
  wrap?: (files: Files) => Files;
  clock?: Clock;
  /** Events of an earlier part, to be continued. */
  earlier?: readonly Event[];
  brokenBlobs?: boolean;
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A call as the model makes it: name and arguments, or raw arguments that are no JSON object. */
export type Asked = [name: string, args: JsonObject | string];

export type ToolSession = Awaited<ReturnType<typeof toolSession>>;

/** Real time for what is measured; no test waits for it. */
const realClock: Clock = {
  now: () => Date.now(),
  sleep: (until, wake) =>
    new Promise((resolve) => {
      if (wake.aborted) return resolve();
      const timer = setTimeout(resolve, Math.max(0, until - Date.now()));
      wake.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

export async function toolSession(options: SessionOptions = {}) {
  const workspace = await temporaryWorkspace({ files: options.files ?? {} });
  const clock = options.clock ?? realClock;
  const log = memoryLog();
  const recorder = new Recorder(new View(), log, clock);
  const known = nothingKnown();
  recorder.listen((event) => void foldKnown(known, event));
  const blobs = new Map<string, Buffer>();
  const files = createFiles({ workspace: workspace.path });
  const registry = createRegistry(
    options.tools ?? builtinTools({ shell: options.shell ?? folderShell(workspace.path) }),
  );
  const policy = createPolicy({
    mode: 'unsafe',
    rules: [],
    sandboxed: false,
    ...options.policy,
    workspace: workspace.path,
  });
  const calls = createCalls({
    registry,
    policy,
    approver: options.approver ?? recordingApprover(),
    files: options.wrap?.(files) ?? files,
    blobs: {
      put: async (bytes) => {
        if (options.brokenBlobs === true) throw new Error('no space left');
        blobs.set(hashOf(bytes), bytes);
        return hashOf(bytes);
      },
    },
    clock,
    beforeEffect: () => log.sync(),
    inspect: async (text) => (await loadContent()).suspicionsIn(text),
    known,
    workspace: workspace.path,
    ...(options.hooks === undefined ? {} : { hooks: options.hooks }),
  });
  const notifications: Notification[] = [];
  const controller = new AbortController();

  /** Records a reply with these calls; they are open then. */
  const reply = async (asked: Asked[]): Promise<void> => {
    const request = await recorder.record({ kind: 'request', data: requestData });
    await recorder.record({ kind: 'reply', data: { ...replyData, request: request.id, parts: asked.map(partOf) } });
  };
  const open = (): OpenCall[] => openCalls(recorder.view.transcript);
  const run = (): Promise<void> =>
    calls.run(open(), recorder.record, controller.signal, (notification) => notifications.push(notification));
  const results = (): EventData['result'][] =>
    log.events.flatMap((event) => (event.kind === 'result' ? [event.data] : []));

  return {
    workspace,
    log,
    recorder,
    calls,
    blobs,
    seen: known.seen,
    registry,
    policy,
    notifications,
    reply,
    open,
    run,
    results,
    cancel: () => controller.abort(),
    /** The results of calls of one reply, in the order of the calls. */
    async callAll(asked: Asked[]): Promise<EventData['result'][]> {
      await reply(asked);
      const keys = open().map(({ key }) => key);
      await run();
      return keys.map((key) => results().find(({ call }) => call === key)!);
    },
    async call(name: string, args: JsonObject | string): Promise<EventData['result']> {
      const [result] = await this.callAll([[name, args]]);
      return result!;
    },
    verdicts: () => log.events.flatMap((event) => (event.kind === 'verdict' ? [event.data] : [])),
    kinds: () => log.events.map(({ kind }) => kind).filter((kind) => kind !== 'request' && kind !== 'reply'),
    [Symbol.asyncDispose]: () => workspace.dispose(),
  };
}

const partOf = ([name, args]: Asked, index: number) => ({
  type: 'call' as const,
  id: `call_${index}`,
  name,
  ...(typeof args === 'string' ? { arguments: {}, malformed: args } : { arguments: args }),
});

const source = { wire: 'test', model: 'test' };
const requestData: EventData['request'] = {
  turn: 1,
  attempt: 1,
  source,
  fingerprint: '',
  base: null,
  kept: 0,
  tail: '',
  bytes: 0,
  extends: true,
  reserved: { input: 0, output: 0 },
};
const replyData: Omit<EventData['reply'], 'request'> = { source, parts: [], stop: 'calls', firstByte: 0, elapsed: 0 };
