/** The door to the analysis of commands: its table and grammar are loaded when a command is first looked at. */
import type { CommandAnalysis } from '../core/index.ts';
import type { AnalyserOptions, Analysis } from './analysis/index.ts';

export type { AnalyserOptions } from './analysis/index.ts';

export interface Analyser extends Pick<Analysis, 'analyse' | 'close'> {
  /** Loads what plain lines need: the table of programs. Never rejects. */
  prepare(): Promise<void>;
  /** Loads what all others need, too: the parsers, in a thread that then holds about 60 MB, in about 0.2 seconds. Never rejects. */
  warm(): Promise<void>;
}

export function createCommandAnalyser(options: AnalyserOptions): Analyser {
  let loading: Promise<Analysis | undefined> | undefined;
  const loaded = (): Promise<Analysis | undefined> => (loading ??= load(options));
  return {
    async analyse(command, folder): Promise<CommandAnalysis> {
      const analysis = await loaded();
      return analysis?.analyse(command, folder) ?? { parts: [], unclear: 'the analysis of commands can’t be loaded' };
    },
    prepare: async () => void (await loaded()),
    warm: async () => (await loaded())?.warm(),
    close: async () => (await loading)?.close(),
  };
}

async function load(options: AnalyserOptions): Promise<Analysis | undefined> {
  try {
    const { createAnalysis } = await import('./analysis/index.ts');
    return createAnalysis(options);
  } catch {
    return undefined; // what isn't whole tells nothing, and nothing that isn't told passes as a read
  }
}
