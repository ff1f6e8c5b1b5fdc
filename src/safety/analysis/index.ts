/** Takes command lines apart: what each part of them would do. */
import type { CommandAnalysis } from '../../core/index.ts';
import { createGrammar } from '../grammar/index.ts';
import { Origins } from './origins.ts';
import { Scope } from './scope.ts';
import { Walker } from './walker.ts';
import { TooMuch, within, type AnalyserOptions } from './work.ts';

export type { AnalyserOptions } from './work.ts';

export interface Analysis {
  /** `folder`: real path of the one that the line would start in. Never rejects: what can't be told is in what it gives. */
  analyse(command: string, folder: string): Promise<CommandAnalysis>;
  /** Loads what lines need that aren't plain: it takes about 0.2 seconds in another thread. Never rejects. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

export function createAnalysis(options: AnalyserOptions): Analysis {
  const grammar = createGrammar();
  return {
    async analyse(command, folder) {
      const walker = new Walker(options, grammar);
      try {
        await walkThrough(walker, command, folder);
        return { parts: walker.parts };
      } catch (error) {
        const unclear = error instanceof TooMuch ? error.message : `the analysis failed: ${String(error)}`;
        return { parts: walker.parts, unclear };
      }
    },
    warm: () => grammar.warm(),
    close: () => grammar.close(),
  };
}

async function walkThrough(walker: Walker, command: string, folder: string): Promise<void> {
  const context = { inside: [], input: { from: 'elsewhere' as const }, depth: 0 };
  const scope = new Scope(folder, folder, new Origins());
  await walker.script(command, scope, context);
  // What is only defined may still be called by what can't be seen (a trap, a name in a variable).
  for (const { name, body, context: around } of walker.defined) {
    if (!walker.called.has(body))
      await walker.statement(body, new Scope(null, null, scope.origins), within(around, `function ${name}`));
  }
}
