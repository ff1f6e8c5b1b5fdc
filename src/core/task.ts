/** The task that is worked on: what people have said since it was given, the workspace as it was then, and the commands that the model ran for it. */
import type { CallKey, Event, EventData, EventId } from './events.ts';
import { foldWith, type Folds } from './fold.ts';

/** A command of the model that has ended. */
export interface OwnCommand {
  call: CallKey;
  /** Its result. */
  id: EventId;
  exit: number | null;
  /** Whether it ended in time and by itself. */
  whole: boolean;
  /** Where it started, when that was not the workspace. */
  folder?: string;
  /** The workspace right before and right after, where it was kept. */
  before?: string;
  after?: string;
}

export class Task {
  /** When it was given, in milliseconds since the epoch. */
  since = Infinity;
  /** What people have said, in order. */
  readonly said: string[] = [];
  /** The workspace before anything was done for it. */
  baseline?: EventData['checkpoint'];
  readonly commands: OwnCommand[] = [];
  /** Paths that changed since, but for what a check wrote itself. */
  readonly changed = new Set<string>();
  /** Where the next command starts, when that is not the workspace. */
  folder?: string;
  /** The snapshots before the calls that are at work. */
  readonly started = new Map<CallKey, string | undefined>();

  /** The next one: it begins in a workspace that may have been described already. */
  static after({ folder }: Task, baseline: EventData['checkpoint'] | undefined): Task {
    const task = new Task();
    if (folder !== undefined) task.folder = folder;
    if (baseline !== undefined) task.baseline = baseline;
    return task;
  }
}

export function foldTask(task: Task, event: Event): void {
  task.since = Math.min(task.since, event.at);
  foldWith(folds, task, event);
}

const folds: Folds<Task> = {
  input(task, { from, text }) {
    if (from !== 'harness' && from !== 'hook') task.said.push(text);
  },
  start: (task, { call, snapshot }) => void task.started.set(call, snapshot),
  result(task, { call, exit, outcome, changes = [], snapshot: after, facts }, { id }) {
    for (const { path } of changes) task.changed.add(path);
    const before = task.started.get(call);
    task.started.delete(call);
    const { folder } = task;
    if (typeof facts?.['folder'] === 'string') task.folder = facts['folder'];
    if (exit === undefined) return;
    task.commands.push({
      call,
      id,
      exit,
      whole: outcome === 'ok' || (outcome === 'error' && exit !== null),
      ...(folder !== undefined && { folder }),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    });
  },
  undo(task, { changes }) {
    for (const { path } of changes) task.changed.add(path);
  },
  checkpoint(task, data) {
    task.baseline ??= data;
    if (data.afterCheck === true) return;
    for (const path of data.changed ?? []) task.changed.add(path);
  },
};
