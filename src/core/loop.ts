/** What a drive consists of. */
import type { Rule } from './decide.ts';
import type { Notify, Ports } from './ports.ts';
import type { Recorder } from './recorder.ts';

export interface Loop {
  ports: Ports;
  recorder: Recorder;
  rules: readonly Rule[];
  notify: Notify;
}
