/** Results as text, for protocols that have no place for whether a call failed. */
import type { ResultPart } from '../../core/index.ts';

const saysSo = /^\s*(?:error|failed)\b/i;

/** The text of a result, never blank; one that failed says so in its first word. */
export function resultText({ text, error }: Pick<ResultPart, 'text' | 'error'>): string {
  if (text.trim() === '') return error ? 'Error: failed without output.' : '(no output)';
  return error && !saysSo.test(text) ? `Error: ${text}` : text;
}
