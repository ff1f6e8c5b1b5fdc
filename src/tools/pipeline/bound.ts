/** Step 10: what the model sees of an outcome: head and tail within the limit, as data, never blank. */
import type { CallOutcome } from '../../core/index.ts';
import type { Blobs } from '../needs.ts';
import { messageOf } from '../outcome.ts';
import { count, endsOf, headOf, visible } from '../text/index.ts';
import { asData } from './content.ts';

/** Room for the line that says what was left out. */
const roomForGap = 250;

export async function bound(outcome: CallOutcome, limit: number, blobs: Blobs): Promise<CallOutcome> {
  const { text, note } = asData(outcome.text);
  if (text.trim() === '') return { ...outcome, text: '(no output)' };
  if (text.length + note.length <= limit) return { ...outcome, text: `${text}${note}` };
  const whole = Buffer.from(outcome.text, 'utf8');
  const kept = outcome.blob === undefined ? await keep(whole, blobs) : { blob: outcome.blob };
  const { head, tail, left } = endsOf(text, limit - roomForGap - note.length);
  const where = 'blob' in kept ? `all of it is kept in blob ${kept.blob}` : `it could not be kept: ${kept.failed}`;
  const gap = `[... ${count(left, 'character')} of ${count(text.length, 'character')} left out here; ${where} ...]`;
  return {
    ...outcome,
    text: `${head}\n${gap}\n${tail}${note}`,
    bytes: outcome.bytes ?? whole.length,
    ...('blob' in kept ? { blob: kept.blob } : {}),
  };
}

/** The excerpt is worth recording also where the whole can't be stored; then it says so. */
async function keep(whole: Buffer, blobs: Blobs): Promise<{ blob: string } | { failed: string }> {
  try {
    return { blob: await blobs.put(whole) };
  } catch (error) {
    return { failed: headOf(visible(messageOf(error)), 100) };
  }
}
