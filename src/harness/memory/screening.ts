/** What may not stand in notes: secrets, and words that try to take a model over. */
import { loadContent, type Redactor } from '../../safety/index.ts';

/** Why a text may not be kept; undefined where it may. */
export async function objectionTo(text: string, secrets: Pick<Redactor, 'redact'>): Promise<string | undefined> {
  if (secrets.redact(text) !== text) return 'It holds a secret: name the variable or the file instead.';
  const [suspicion] = (await loadContent()).suspicionsIn(text);
  if (suspicion === undefined) return undefined;
  return `Line ${suspicion.line} holds words like those that try to take a model over: “${suspicion.quote}”.`;
}
