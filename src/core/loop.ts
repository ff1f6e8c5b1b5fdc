/** What a drive consists of. */
import type { Rule } from './decide.ts';
import type { Draft } from './events.ts';
import type { ReviewedPlan } from './permissions.ts';
import type { Notify, Ports } from './ports.ts';
import type { Recorder } from './recorder.ts';
import type { View } from './view.ts';

export interface Loop {
  ports: Ports;
  recorder: Recorder;
  rules: readonly Rule[];
  notify: Notify;
  /** What is to be recorded before the model is asked, because the world is another than the log says; nothing most times. */
  news?: (view: View) => Promise<Draft[]>;
  /** The plan as its file holds it, for the person who reviews it; undefined where it holds nothing. */
  readPlan?: () => Promise<ReviewedPlan | undefined>;
}
