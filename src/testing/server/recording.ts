/** Replays a stream that was recorded from a real provider. */
import type { Handler } from './service.ts';

/**
 * Answers every request with a recorded stream: one JSON event a line, without the framing of the wire. The lines are sent as they
 * are, each under the name that its `type` gives.
 */
export function serveRecording(recording: string | string[]): Handler {
  const lines = (typeof recording === 'string' ? recording.split('\n') : recording).filter(
    (line) => line.trim() !== '',
  );
  const raw = lines.map((line) => {
    const { type } = JSON.parse(line) as { type?: string };
    return `${type === undefined ? '' : `event: ${type}\n`}data: ${line}\n\n`;
  });
  return () => ({ raw });
}
