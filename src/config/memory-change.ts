/** Changes of notes: what each makes of a text. */
import type { Json } from '../core/index.ts';

export const memoryScopes = ['project', 'user'] as const;
export type MemoryScope = (typeof memoryScopes)[number];

/** Characters of the notes of one scope (DESIGN section 10). */
export const mostMemory = 2_200;

/** `set`: the whole text. Otherwise `old` gives way to `note`; without `old` the note is added, without `note` what is old goes. */
export type MemoryChange = { set: string } | { old?: string; note?: string };

/** The text after the change, or why it can't be made. */
export function changedText(text: string, change: MemoryChange): { text: string } | { refused: string } {
  const after = applied(text, change);
  if ('refused' in after) return after;
  const whole = after.text.replaceAll('\r\n', '\n').trim();
  if (whole.includes('\0')) return { refused: 'Notes are text, and this holds a null character.' };
  if (whole.length > mostMemory) {
    return {
      refused: `The notes would have ${whole.length} characters, and ${mostMemory} have room: shorten or remove some.`,
    };
  }
  return whole === text ? { refused: 'The notes say that already.' } : { text: whole };
}

function applied(text: string, change: MemoryChange): { text: string } | { refused: string } {
  if ('set' in change) return { text: change.set };
  const { old, note = '' } = change;
  if (old === undefined) return added(text, note.trim());
  const places = text.split(old).length - 1;
  if (old === '' || places !== 1) {
    return {
      refused: places === 0 ? 'The notes don’t hold what is old.' : 'The notes hold what is old more than once.',
    };
  }
  const kept = text.replace(old, () => note.trim());
  return { text: note.trim() === '' ? kept.replaceAll(/\n{2,}/g, '\n') : kept };
}

function added(text: string, note: string): { text: string } | { refused: string } {
  if (note === '') return { refused: 'A change needs a note, or what is old.' };
  if (text.split('\n').includes(note)) return { refused: 'The notes say that already.' };
  return { text: text === '' ? note : `${text}\n${note}` };
}

/** What a record says, undefined where it is none. */
export function readChange(value: Json | undefined): MemoryChange | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { set, old, note } = value;
  if (typeof set === 'string') return { set };
  if (typeof old !== 'string' && typeof note !== 'string') return undefined;
  return { ...(typeof old === 'string' && { old }), ...(typeof note === 'string' && { note }) };
}
