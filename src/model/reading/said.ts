/** What a reply of Chat Completions says and thinks, as its parts. */
import type { Json, JsonObject, ReplyPart } from '../../core/index.ts';
import { isObject, textOf } from '../reply.ts';
import type { ThinkTags } from './think-tags.ts';

/** How reasoning came, so that it can go back the same way; its text is that of the part. */
export type ReasoningOrigin =
  | { field: 'reasoning_content' | 'reasoning' | 'reasoning_details'; details?: Json[] }
  /** Between tags in the content, with what stood around it. */
  | { field: 'content'; before: string; after: string }
  /** As a part of the content. */
  | { field: 'parts' };

/** Where a piece came from. */
export type Field = ReasoningOrigin['field'];

interface Block {
  type: 'text' | 'thinking';
  field: Field;
  pieces: string[];
}

/** What a reply says and thinks. A message has one text and one reasoning, but for content that comes in parts: these keep their order. */
export class Said {
  readonly blocks: Block[] = [];
  readonly details = new ReasoningDetails();
  characters = 0;

  add(type: Block['type'], field: Field, text: string): void {
    this.characters += text.length;
    const last = this.blocks.at(-1);
    const open =
      last?.type === type ? last : field === 'parts' ? undefined : this.blocks.find((one) => one.type === type);
    if (open === undefined) this.blocks.push({ type, field, pieces: [text] });
    else open.pieces.push(text);
  }

  /** Reasoning that was cut can be read, but not sent back. */
  parts(around: ThinkTags['around'], isCut: boolean): ReplyPart[] {
    const details = this.details.whole();
    const isSilent = details.length > 0 && !this.blocks.some(({ type }) => type === 'thinking');
    const blocks: Block[] = isSilent
      ? [{ type: 'thinking', field: 'reasoning_details', pieces: [] }, ...this.blocks]
      : this.blocks;
    const sorted = blocks.some(({ field }) => field === 'parts')
      ? blocks
      : blocks.toSorted((one, other) => Number(one.type === 'text') - Number(other.type === 'text'));
    const isAlone = isCut && sorted.at(-1)?.type === 'thinking';
    return sorted.flatMap((block, index): ReplyPart[] => {
      const text = block.pieces.join('');
      if (block.type === 'text') return text.trim() === '' ? [] : [{ type: 'text', text }];
      const isLost = isAlone && index === sorted.length - 1;
      const origin = isLost ? undefined : originOf(block.field, details, around);
      return [{ type: 'thinking', text, ...(origin === undefined ? {} : { opaque: origin }) }];
    });
  }
}

function originOf(field: Field, details: Json[], around: ThinkTags['around']): ReasoningOrigin | undefined {
  if (field === 'content') return around === undefined ? undefined : { field, ...around };
  if (field === 'parts') return { field };
  return { field, ...(details.length === 0 ? {} : { details }) };
}

/** Structured reasoning comes in fragments that belong together by kind and index; a signature is for the whole. */
class ReasoningDetails {
  private readonly entries: { fields: JsonObject; grown: { [field: string]: string[] } }[] = [];
  private readonly byKey = new Map<string, number>();

  /** The text that the fragments hold. */
  take(fragments: readonly Json[]): string {
    let told = '';
    for (const fragment of fragments.filter(isObject)) {
      this.add(fragment);
      told += textOf(fragment['text']) || textOf(fragment['summary']);
    }
    return told;
  }

  whole(): Json[] {
    return this.entries.map(({ fields, grown }) => {
      const texts = Object.entries(grown).map(([field, pieces]): [string, Json] => [field, pieces.join('')]);
      return { ...fields, ...Object.fromEntries(texts) };
    });
  }

  private add(fragment: JsonObject): void {
    const key = JSON.stringify([fragment['type'], fragment['index']]);
    const place = this.byKey.get(key);
    const known = place === undefined ? undefined : this.entries[place];
    const isNext = known === undefined || isOther(known.fields, fragment);
    const entry = isNext ? { fields: {}, grown: {} } : known;
    if (isNext) this.byKey.set(key, this.entries.push(entry) - 1);
    for (const [field, value] of Object.entries(fragment)) {
      if (field === '__proto__') continue;
      const isText = (field === 'text' || field === 'summary') && typeof value === 'string';
      if (isText) (entry.grown[field] ??= []).push(value);
      if (isText || textOf(value) !== '' || !Object.hasOwn(entry.fields, field))
        entry.fields[field] = isText ? '' : value;
    }
  }
}

/** Whether a fragment is one of its own: sealed data comes whole, and ids tell entries apart. */
function isOther(known: JsonObject, fragment: JsonObject): boolean {
  if (textOf(known['data']) !== '' && textOf(fragment['data']) !== '') return true;
  return isGiven(known['id']) && isGiven(fragment['id']) && known['id'] !== fragment['id'];
}

function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}
