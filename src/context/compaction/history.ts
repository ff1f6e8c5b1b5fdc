/** Turns of a conversation as lines of JSON, out of which nothing in them can break; long texts are shortened. */
import type { CallState, Segment } from '../../core/index.ts';

/** Characters of each thing that a line shows at most. */
const shown = { user: 8_000, agent: 3_000, arguments: 800, result: 1_600, elided: 400, reins: 800 };
/** Shares of those, from the most to the least; what is too long even then loses its oldest lines. */
const shares = [1, 0.25];

/** Lines of the segments, in pieces of at most so many characters, and no more pieces than that. */
export function historyPieces(
  segments: readonly Segment[],
  without: string | undefined,
  size: number,
  most: number,
): string[] {
  let pieces: string[] = [];
  for (const share of shares) {
    pieces = inPieces(linesOf(segments, without, share), size);
    if (pieces.length <= most) return pieces;
  }
  const left = pieces.slice(-most);
  return [`${JSON.stringify({ leftOut: 'older lines, for want of room' })}\n${left[0] ?? ''}`, ...left.slice(1)];
}

function inPieces(lines: readonly string[], size: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const line of lines) {
    if (piece !== '' && piece.length + line.length > size) {
      pieces.push(piece);
      piece = '';
    }
    piece += `${line.slice(0, size)}\n`;
  }
  return piece === '' ? pieces : [...pieces, piece];
}

/** `without`: what stands for turns before these; it is told otherwise. */
function linesOf(segments: readonly Segment[], without: string | undefined, share: number): string[] {
  const cut = (text: string, kind: keyof typeof shown) => shortened(text, Math.round(shown[kind] * share));
  const lines: object[] = [];
  for (const { reply, calls, texts } of segments) {
    const said = (reply?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    if (said.trim() !== '') lines.push({ agent: cut(said, 'agent') });
    for (const call of calls) lines.push(callLine(call, cut));
    for (const { from, text } of texts) {
      if (text === without) continue;
      lines.push(from === 'outside' ? { user: cut(text, 'user') } : { reins: cut(text, 'reins') });
    }
  }
  return lines.map((line) => JSON.stringify(line));
}

function callLine(call: CallState, cut: (text: string, kind: keyof typeof shown) => string): object {
  const { name, result } = call;
  const text = result?.text ?? '';
  return {
    call: name,
    arguments: cut(JSON.stringify(call.arguments), 'arguments'),
    outcome: result?.outcome ?? 'unknown',
    // What the agent itself doesn’t see any more matters less.
    result: cut(text, call.elided === undefined ? 'result' : 'elided'),
  };
}

/** Head and tail; what is left out is said. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text.toWellFormed();
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)} [${text.length - 2 * half} characters left out] ${text.slice(-half)}`.toWellFormed();
}
