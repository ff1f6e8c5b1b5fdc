/** What became of each file that changed: the first state and the last that the log knows of it. */
import type { Event, EventData } from '../../core/index.ts';
import type { ChangedFile } from '../report-types.ts';

/** A file as Git and the disk show it at the end of a run. */
export interface FileLines extends Pick<ChangedFile, 'path' | 'added' | 'removed' | 'alsoBefore'> {
  created?: true;
}

/** SHA-256, null where there is no file, undefined where the log doesn't say. */
type State = string | null | undefined;

export class FileStates {
  readonly #files = new Map<string, { before: State; after: State }>();
  #checkpoint: EventData['checkpoint'] | undefined;

  take(event: Event): void {
    if (event.kind === 'result' || event.kind === 'undo') {
      for (const { path, before, after } of event.data.changes ?? []) this.#change(path, before, after);
    }
    if (event.kind !== 'checkpoint') return;
    for (const path of event.data.changed ?? []) {
      this.#change(path, stateIn(this.#checkpoint, path), stateIn(event.data, path));
    }
    this.#checkpoint = event.data;
  }

  /** Each path that changed, sorted, with its lines where somebody could count them. */
  files(paths: Iterable<string>, counted: readonly FileLines[] = []): ChangedFile[] {
    const lines = new Map(counted.map((file) => [file.path, file]));
    return [...paths].toSorted().map((path) => {
      const { created, ...rest } = lines.get(path) ?? { path };
      return { ...rest, change: this.#changeOf(path, created === true) };
    });
  }

  #change(path: string, before: State, after: State): void {
    const known = this.#files.get(path);
    this.#files.set(path, { before: known === undefined ? before : known.before, after });
  }

  #changeOf(path: string, created: boolean): ChangedFile['change'] {
    const { before, after } = this.#files.get(path) ?? { before: undefined, after: undefined };
    if (after === null) return before === null ? 'none' : 'deleted';
    if (before === null) return 'created';
    if (before !== undefined && before === after) return 'none';
    return before === undefined && created ? 'created' : 'modified';
  }
}

/** A checkpoint names what differs from its commit; without a commit, every file. */
function stateIn(checkpoint: EventData['checkpoint'] | undefined, path: string): State {
  if (checkpoint === undefined) return undefined;
  if (Object.hasOwn(checkpoint.files, path)) return checkpoint.files[path];
  return checkpoint.commit === null ? null : undefined;
}
