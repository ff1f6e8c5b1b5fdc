/** Performs a compaction: has older turns summarised where they give way, and records what the model sees from then on. */
import { sizeAfter } from './compaction.ts';
import type { CompactionData } from './compactions.ts';
import type { Action } from './decide.ts';
import { estimatedInput, tokensIn } from './estimate.ts';
import type { Loop } from './loop.ts';
import { routed } from './routing.ts';
import { standingSize } from './tokens.ts';

type Compact = Extract<Action, { do: 'compact' }>;
type Parts = Pick<CompactionData['compaction'], 'elided' | 'gist' | 'problem'>;

interface Hands {
  recorder: Loop['recorder'];
  ports: Pick<Loop['ports'], 'summariser'>;
}

/** Gives what was recorded; nothing was when it was cancelled meanwhile. */
export async function compact(
  hands: Hands,
  action: Compact,
  signal: AbortSignal,
): Promise<CompactionData['compaction'] | undefined> {
  const { why, focus } = action;
  const { view, record } = hands.recorder;
  const parts = await partsOf(hands, action, signal);
  if (signal.aborted && (why === 'manual' || view.cancel !== undefined)) return undefined;
  const target = routed(view)?.target ?? view.setup;
  const size = standingSize(view.setup) + sizeAfter(view.transcript, parts.elided, parts.gist);
  const [before, after] = [estimatedInput(view, target), tokensIn(view, size, target)];
  const data = { why, ...parts, ...(focus !== undefined && { focus }), before, after };
  await record({ kind: 'compaction', data });
  return data;
}

async function partsOf({ recorder, ports }: Hands, action: Compact, signal: AbortSignal): Promise<Parts> {
  const { elide, older, focus } = action;
  if (older === undefined) return { elided: elide };
  const { tail, kept, last, most, window, instead } = older;
  const order = { view: recorder.view, tail, most, window, ...(focus !== undefined && { focus }) };
  const { problem, ...written } = await ports.summariser.summarise(order, signal);
  const failed = problem === undefined ? {} : { problem };
  if (problem !== undefined && instead !== undefined) return { elided: instead, ...failed };
  return { elided: elide, gist: { tail, kept, ...(last !== undefined && { last }), ...written }, ...failed };
}
