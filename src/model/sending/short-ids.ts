/** Ids of calls for a provider that takes only those of one form and length. */
import { createHash } from 'node:crypto';
import type { Addressed } from './call-ids.ts';

export interface IdForm {
  form: RegExp;
  /** Letters and digits of an id; at most 64. */
  length: number;
}

/** Ids of the form stay, the others become letters and digits made of them; each is used once, so calls and results still meet. */
export function shortIds(conversation: readonly Addressed[], { form, length }: IdForm): Addressed[] {
  const sent = new Map<string, string>();
  const used = new Set<string>();
  const shorten = (id: string): string => {
    const known = sent.get(id);
    if (known !== undefined) return known;
    let short = form.test(id) ? id : digits(id, length);
    for (let copy = 2; used.has(short); copy += 1) short = digits(`${id} ${copy}`, length);
    used.add(short);
    sent.set(id, short);
    return short;
  };
  return conversation.map((addressed) => ({ ...addressed, ids: addressed.ids.map(shorten) }));
}

function digits(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
