/** Notes of earlier sessions, for the prompt. */
import { marked } from './marks.ts';
import { standingFragments } from './prompt/index.ts';

export interface ShownNotes {
  scope: string;
  /** As the model may see it. */
  text: string;
}

/** Undefined where nothing is noted: then it costs nothing. */
export function memoryLayer(notes: readonly ShownNotes[]): string | undefined {
  const told = notes.filter(({ text }) => text.trim() !== '');
  if (told.length === 0) return undefined;
  return [
    standingFragments.memory.text,
    ...told.map(({ scope, text }) => marked('memory', text, ` scope=${JSON.stringify(scope)}`)),
  ].join('\n');
}
