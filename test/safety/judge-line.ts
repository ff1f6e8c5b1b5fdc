/** A command line judged as a session would, in a place that is only thought of. */
import type { Mode } from '../../src/core/index.ts';
import { createPolicy, type Analyser } from '../../src/safety/index.ts';

export async function judgeLine(analyser: Analyser, mode: Mode, command: string) {
  const policy = createPolicy({ mode, rules: [], sandboxed: true, workspace: '/work', home: '/home/person' });
  const analysis = await analyser.analyse(command, '/work');
  const effects = { effects: ['execute' as const], resources: 'unknown' as const, command, confined: true, analysis };
  return policy.judge({ tool: 'shell', arguments: { command }, effects });
}

/** Lists of command lines are written one a line. */
export const linesOf = (text: string): string[] => text.trim().split('\n');
