/** One JSON object: the trajectory as it is. The format is Reins's own, with a version. */
import type { Trajectory } from './trajectory.ts';

export function* asJson({ setup, ...trajectory }: Trajectory): Generator<string> {
  const told = setup === undefined ? {} : { setup: { ...setup, tools: setup.tools.map(({ name }) => name) } };
  yield `${JSON.stringify({ format: 'reins-session', version: 1, ...trajectory, ...told })}\n`;
}
