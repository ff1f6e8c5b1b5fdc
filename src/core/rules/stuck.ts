import type { Action, Rule } from '../decide.ts';
import { payload, type CallState, type Segment } from '../segment.ts';
import { lastSegment, openCalls } from '../transcript.ts';
import type { View } from '../view.ts';

/** Turns in a row with the same calls and the same outcomes: the model is told, told to ask, and stopped (DESIGN section 10). */
const tellAt = 2;
const askAt = 3;
const stopAt = 6;
/** Turns of two alternating kinds. */
const tellPairsAt = 6;
const stopPairsAt = 12;
/** Equal chunks at the end of one text. */
const chunksAtMost = 10;
const shortestChunk = 20;
const longestChunk = 1_000;

const repeated = 'You made the same call again, and its outcome was the same. Doing it once more changes nothing.';

/**
 * Repetition without progress: the same calls with the same outcomes, two kinds of turns in alternation, or a text that repeats
 * itself. What changes (a poll whose output differs) is progress, and so is anything that a person says.
 */
export const stuck: Rule = (view) => {
  if (openCalls(view.transcript).length > 0) return undefined;
  return chanting(view) ?? repeating(view);
};

function repeating(view: View): Action | undefined {
  const turns = turnsSinceInput(view.transcript.segments);
  const same = runLength(turns, 1);
  const pairs = same > 1 ? 0 : runLength(turns, 2);
  if (same >= stopAt) return stop(`The same call was made ${same} times with the same outcome.`, 'repeated-calls');
  if (pairs >= stopPairsAt) return stop(`Two kinds of calls alternated for ${pairs} turns.`, 'repeated-calls');
  if (same === askAt) {
    const text = `${repeated} Change your way, or ask the user, if a tool lets you; if nothing else is left, end with what you know.`;
    return tellOnce(view, 'stuck-ask', text);
  }
  if (same === tellAt) return tellOnce(view, 'stuck', `${repeated} Read the outcome and try something else.`);
  if (pairs === tellPairsAt) {
    return tellOnce(view, 'stuck', 'You alternate between two calls whose outcomes stay the same. Try something else.');
  }
  return undefined;
}

/** The newest turns with calls, newest first, up to the last thing that came from outside, and no more than are compared. */
function turnsSinceInput(segments: readonly Segment[]): CallState[][] {
  const turns: CallState[][] = [];
  for (const { calls, texts } of segments.slice(-stopPairsAt).toReversed()) {
    // Refusals have a limit of their own.
    const isRefused = calls.every(({ result }) => result?.outcome === 'denied');
    if (isRefused || texts.some(({ from }) => from === 'outside')) break;
    turns.push(calls);
  }
  return turns;
}

/** How many of the newest turns are equal to the one `distance` before them. */
function runLength(turns: readonly CallState[][], distance: number): number {
  let length = 0;
  while (length + distance < turns.length && isSame(turns[length], turns[length + distance])) length += 1;
  return length === 0 ? Math.min(1, turns.length) : length + distance;
}

function isSame(some: readonly CallState[] = [], others: readonly CallState[] = []): boolean {
  return some.length === others.length && some.every((call, index) => isSameCall(call, others[index]));
}

function isSameCall(call: CallState, other: CallState | undefined): boolean {
  if (other === undefined || call.name !== other.name || call.malformed !== other.malformed) return false;
  if (call.result?.outcome !== other.result?.outcome || !isSameResult(call, other)) return false;
  return JSON.stringify(call.arguments) === JSON.stringify(other.arguments);
}

/** Of one that is elided only its size is known. */
function isSameResult(call: CallState, other: CallState): boolean {
  if (call.elided !== undefined || other.elided !== undefined) return payload(call) === payload(other);
  return call.result?.text === other.result?.text;
}

/** Said twice that a text repeats itself, the run stops. */
function chanting(view: View): Action | undefined {
  const { reply } = lastSegment(view.transcript);
  const text = reply?.parts.findLast((part) => part.type === 'text')?.text ?? '';
  if (!repeatsItself(text)) return undefined;
  const before = view.transcript.segments.at(-2);
  const told = view.noted.get('stuck-text');
  if (before?.texts.some(({ id }) => id === told)) return stop('Its text repeats itself.', 'repeated-text');
  return tellOnce(view, 'stuck-text', 'Your reply repeats the same text again and again. Say it once, and go on.');
}

function repeatsItself(text: string): boolean {
  const most = Math.min(longestChunk, Math.floor(text.length / chunksAtMost));
  for (let size = shortestChunk; size <= most; size += 1) {
    const end = text.slice(-size * chunksAtMost);
    if (end.startsWith(end.slice(size)) && /\p{L}/u.test(end.slice(0, size))) return true;
  }
  return false;
}

/** Once a turn: the note stands behind the results that it is about. */
function tellOnce(view: View, code: string, text: string): Action | undefined {
  const told = view.noted.get(code);
  const isTold = lastSegment(view.transcript).texts.some(({ id }) => id === told);
  return isTold ? undefined : { do: 'note', code, text };
}

function stop(detail: string, code: string): Action {
  return { do: 'stop', reason: 'stuck', code, detail };
}
