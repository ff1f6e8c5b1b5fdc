/** Verification, scripted: what checks say and what the workspace looks like is written down. */
import type { Check, CheckOutcome, EventData, Verifier, View } from '../core/index.ts';

/** What a check says: that it passed, that it failed and with which output, or a whole outcome. */
export type ScriptedCheck = 'passed' | { failed: string } | CheckOutcome;

export interface ScriptedVerifierOptions {
  /** What each check says, time after time, by its command; the last is repeated. A check that isn't here doesn't start. */
  checks?: { [command: string]: ScriptedCheck[] };
  /** The files of the workspace as they are now: SHA-256 by path, null for a deleted one. Default none. */
  files?: () => { [path: string]: string | null };
  /** Files that define the checks and aren't what they were; default none. */
  definersChanged?: () => string[];
  /** What the model’s own commands prove; default nothing. */
  ownChecks?: () => Omit<EventData['own-checks'], 'covers'>;
}

export interface ScriptedVerifier extends Verifier {
  /** Commands of the checks that ran, in order. */
  readonly checked: string[];
}

export function scriptedVerifier(options: ScriptedVerifierOptions = {}): ScriptedVerifier {
  const checked: string[] = [];
  return {
    checked,
    check(check: Check, signal: AbortSignal): Promise<CheckOutcome> {
      if (signal.aborted) return Promise.resolve(outcome('cancelled', 'Cancelled.'));
      const said = options.checks?.[check.command] ?? [];
      const times = checked.filter((command) => command === check.command).length;
      checked.push(check.command);
      const next = said[Math.min(times, said.length - 1)];
      if (next === undefined)
        return Promise.resolve(outcome('not-started', `Nothing is scripted for ${check.command}.`));
      if (next === 'passed') return Promise.resolve(outcome('passed', ''));
      return Promise.resolve('failed' in next ? outcome('failed', next.failed) : next);
    },
    snapshot: (view: View) => Promise.resolve(checkpoint(view, options.files?.() ?? {})),
    definersChanged: () => Promise.resolve((options.definersChanged?.() ?? []).map((path) => ({ path }))),
    ownChecks: () =>
      Promise.resolve(options.ownChecks?.() ?? { proves: false, commands: [], why: 'Nothing is scripted.' }),
  };
}

function outcome(kind: 'passed' | 'failed' | 'not-started' | 'cancelled', text: string): CheckOutcome {
  const passed = kind === 'passed';
  const exit = passed ? 0 : kind === 'failed' ? 1 : null;
  const shown = passed || kind === 'cancelled' ? {} : { shown: `The check failed (${kind}):\n${text}` };
  return { passed, exit, outcome: kind, output: { text }, elapsed: 0, ...shown };
}

function checkpoint(view: View, files: { [path: string]: string | null }): EventData['checkpoint'] {
  const before = view.ledger.checkpoint?.files;
  if (!before) return { commit: null, files };
  const paths = new Set([...Object.keys(before), ...Object.keys(files)]);
  const changed = [...paths].filter((path) => before[path] !== files[path]).sort();
  return { commit: null, files, changed };
}
