/** Plays one reply of a recording through a wire's own parser and decoder. */
import type { Target, ToolSpec } from '../../core/index.ts';
import { createSseParser, type Decoded, type Wire } from '../../model/index.ts';
import type { NoReading, Reading } from './reading.ts';

/** Bytes in a piece: small and odd, so that events and characters arrive torn. */
const pieceSize = 61;

export function play(wire: Wire, stream: string, reading: Reading | NoReading): Decoded {
  const decoder = wire.decoder(() => undefined, { target: targetOf(wire.name), tools: toolsIn(reading) });
  const parser = createSseParser((event) => decoder.push(event));
  const bytes = Buffer.from(stream);
  for (let start = 0; start < bytes.length && !decoder.done; start += pieceSize) {
    parser.push(bytes.subarray(start, start + pieceSize));
  }
  if (!decoder.done) parser.end();
  return decoder.end();
}

/** Nobody in particular: what a recording holds must not depend on whom it was asked of. */
const targetOf = (wire: string): Target => ({
  provider: 'recording',
  wire,
  model: 'recorded',
  settings: {},
  abilities: {
    images: false,
    efforts: [],
    thinking: 'none',
    sampling: false,
    systemMessages: false,
    edits: 'replace',
  },
  window: 200_000,
  maxOutput: 16_000,
});

/** Whatever was called had been offered. */
function toolsIn(reading: Reading | NoReading): ToolSpec[] {
  const calls = 'failure' in reading ? [] : reading.calls;
  const byName = new Map(calls.map((call) => [call.name, call]));
  return [...byName.values()].map(({ name, text }) => ({
    name,
    description: '',
    input: { type: 'object' },
    ...(text === undefined ? {} : { text: { argument: 'input' } }),
  }));
}
