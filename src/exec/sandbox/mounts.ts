/** What a sandbox shows of the file system, as a list that is applied from top to bottom. */

export type Mount =
  /** A host path, shown at a place of the sandbox: to be read only, or also to be written. */
  | { kind: 'read' | 'write'; source: string; place: string }
  /** An empty folder of the sandbox's own; what it holds ends with the command. */
  | { kind: 'empty'; place: string }
  /** A folder that is made where it is missing, inside an empty one. */
  | { kind: 'folder'; place: string }
  /** The few harmless devices; the processes of the sandbox alone. */
  | { kind: 'devices' | 'processes'; place: string }
  /** From here on nothing can be made in it but in what is mounted there. */
  | { kind: 'closed'; place: string };

export const readOnly = (path: string, place = path): Mount => ({ kind: 'read', source: path, place });
/** Also makes the place a mount point, which can be neither renamed nor removed from inside. */
export const writable = (path: string, place = path): Mount => ({ kind: 'write', source: path, place });
export const empty = (place: string): Mount => ({ kind: 'empty', place });
export const folder = (place: string): Mount => ({ kind: 'folder', place });
