/**
 * The door of conformance: recorded streams of real providers are played through the decoders and held against an expectation
 * beside them or, without one, against an independent reading of the same events. docs/testing.md explains it.
 */
import { readFile } from 'node:fs/promises';
import type { Json } from '../../core/index.ts';
import { loadWire, type Wire } from '../../model/index.ts';
import { compareExpected, compareReading, type Verdict } from './compare.ts';
import { play } from './play.ts';
import {
  eventsOf,
  expectationOf,
  findRecordings,
  framesOf,
  guessWire,
  isOtherWire,
  repliesIn,
  type Frame,
  type RecordingFile,
} from './recording.ts';
import { readers } from './reference/index.ts';
import { linesOf, reportOf, type FileReport, type Report } from './report.ts';

export { compareReading, linesOf };
export type { Reading } from './reading.ts';

/** Plays every recording below a folder, or a single file. Rejects when there is no such place. */
export async function playRecordings(place: string): Promise<Report> {
  const files = await findRecordings(place);
  const reports: FileReport[] = [];
  for (const file of files) reports.push(await playFile(file));
  return reportOf(reports);
}

async function playFile(file: RecordingFile): Promise<FileReport> {
  const failed = (reason: string, wire?: string): FileReport => ({
    file: file.name,
    ...(wire === undefined ? {} : { wire }),
    verdict: 'failed',
    replies: 0,
    differences: [],
    reason,
  });
  let name = file.wire;
  if (file.problem !== undefined) return failed(file.problem, name);
  try {
    const frames = framesOf(await readFile(file.path, 'utf8'));
    if (!frames) return failed('neither one JSON event a line nor a stream of events', name);
    name ??= guessWire(frames);
    if (name === undefined) return failed('its events don’t tell the wire: put it in a folder that does');
    if (isOtherWire(frames, name)) return failed(`its events are of another wire: ${guessWire(frames)}`, name);
    const expected = await expectationOf(file.path);
    const replies = repliesIn(frames, name);
    const wire = await loadWire(name);
    const verdicts = replies.map((reply, index) => playReply(wire, reply, expectationFor(expected, index)));
    return { file: file.name, wire: name, replies: replies.length, ...merged(verdicts) };
  } catch (error) {
    return failed(error instanceof Error ? `${error.name}: ${error.message}` : String(error), name);
  }
}

/** A list has an expectation for each reply; a single one is of the first. */
function expectationFor(expected: Json | undefined, index: number): Json | undefined {
  if (Array.isArray(expected)) return expected[index];
  return index === 0 ? expected : undefined;
}

function playReply(wire: Wire, frames: Frame[], expected: Json | undefined): Verdict {
  const reading = readers[wire.name]?.(eventsOf(frames)) ?? { failure: 'there is no reference reader for this wire' };
  const decoded = play(wire, frames.map(({ source }) => source).join(''), reading);
  return expected === undefined ? compareReading(decoded, reading) : compareExpected(decoded, expected);
}

/** The worst of the replies of a recording, with all that differs in any of them. */
function merged(verdicts: Verdict[]): Pick<FileReport, 'verdict' | 'differences' | 'reason'> {
  const place = (index: number) => (verdicts.length > 1 ? `reply ${index + 1}, ` : '');
  const differences = verdicts.flatMap((verdict, index) => {
    const own = verdict.verdict === 'differing' ? verdict.differences : [];
    return own.map((difference) => ({ ...difference, at: place(index) + difference.at }));
  });
  const reasons = verdicts.flatMap((verdict, index) =>
    verdict.verdict === 'failed' ? place(index) + verdict.reason : [],
  );
  if (reasons.length > 0) return { verdict: 'failed', differences, reason: reasons.join('; ') };
  return { verdict: differences.length > 0 ? 'differing' : 'exact', differences };
}
