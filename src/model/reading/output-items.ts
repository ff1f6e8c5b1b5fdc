/**
 * The items of a reply that comes in as typed items, each begun, grown in pieces and closed whole. Servers are not of one mind: ids
 * change between the beginning and the end, places are all the same, closing or beginning is left out. What was closed counts.
 */
import type { Json, JsonObject } from '../../core/index.ts';
import { textOf } from '../reply.ts';

/** Where a text of an item grows. */
export interface Growth {
  /** The type of the item. */
  item: 'message' | 'reasoning' | 'function_call' | 'custom_tool_call';
  field: 'text' | 'refusal' | 'summary' | 'thought' | 'arguments' | 'input';
}

/** What an event says of the item that it is about. */
export interface Place {
  id: string;
  index: number | undefined;
}

/** Items beyond which a reply is taken as a fault: no reply of a model comes near it. */
export const mostItems = 2_000;

export class OutputItems {
  /** In the order in which they were first heard of. */
  private readonly items: OutputItem[] = [];
  /** Closed items without an id, by all that they say. */
  private readonly nameless = new Map<string, OutputItem>();

  /** Characters of output that came. */
  get characters(): number {
    return this.items.reduce((sum, item) => sum + item.characters, 0);
  }

  get count(): number {
    return this.items.length;
  }

  open(item: JsonObject, index?: number): OutputItem {
    const opened = new OutputItem(item, index);
    this.items.push(opened);
    return opened;
  }

  close(item: JsonObject, index: number | undefined): OutputItem {
    const isNameless = textOf(item['id']) === '' && textOf(item['call_id']) === '';
    const text = isNameless ? JSON.stringify([index ?? null, item]) : '';
    const begun = this.items.findLast((known) => known.isBegun(item, index)) ?? this.nameless.get(text);
    const closed = begun ?? this.open(item, index);
    if (isNameless) this.nameless.set(text, closed);
    closed.close(item);
    return closed;
  }

  /** What is part of the reply because the end repeats it, and wasn't shown yet. */
  unshown(repeated: readonly JsonObject[]): OutputItem[] {
    if (repeated.length <= this.items.filter((item) => item.closed).length) return [];
    const left = [...this.items];
    const taken = (isWanted: (known: OutputItem) => boolean): OutputItem | undefined => {
      const place = left.findIndex(isWanted);
      return place < 0 ? undefined : left.splice(place, 1)[0];
    };
    const begun = repeated.map((item) => taken((known) => known.isBegun(item, undefined)));
    return repeated.flatMap((item, at) => {
      // Where ids change, the next one of its type is taken for it.
      const known = begun[at] ?? taken(({ type }) => type === item['type']) ?? this.open(item);
      if (known.shown) return [];
      known.item = item;
      return [known];
    });
  }

  /** The open item that a piece belongs to; one that never began begins with it. */
  growing({ id, index }: Place, type: Growth['item']): OutputItem {
    // Nearly every piece goes on with the item of the piece before.
    const last = this.items.at(-1);
    if (last !== undefined && id !== '' && last.id === id && last.type === type && !last.closed) return last;
    const open = this.items.filter((item) => !item.closed && item.type === type);
    const found = id === '' ? undefined : open.findLast((item) => item.id === id);
    return found ?? open.findLast((item) => item.index === index) ?? open.at(-1) ?? this.open({ type, id }, index);
  }

  /**
   * The whole items. `repeated` is what the end of the stream repeats of them: all, on most servers, and nothing on others. Where
   * neither it nor a closing tells, they are what came in pieces.
   */
  whole(repeated: JsonObject[]): JsonObject[] {
    const closed = this.items.filter((item) => item.closed);
    if (repeated.length > closed.length) return repeated;
    const known = repeated.length > 0 ? closed : this.items;
    // A stable sort: without a place, or at the same one, they stay in the order in which they came.
    return known.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map((item) => item.whole());
  }
}

/** An item as it began, with what came in pieces; or as it was when it was closed. */
export class OutputItem {
  item: JsonObject;
  readonly index: number | undefined;
  closed = false;
  /** Something of it was shown already. */
  shown = false;
  characters = 0;
  /** What came in pieces, by field and then by part. */
  private readonly texts = new Map<Growth['field'], Map<number, string>>();

  constructor(item: JsonObject, index: number | undefined) {
    this.item = item;
    this.index = index;
  }

  get id(): string {
    return textOf(this.item['id']);
  }

  get type(): string {
    return textOf(this.item['type']);
  }

  /** Whether a closed item is this one. One that is closed already is closed again only by the same. */
  isBegun(item: JsonObject, index: number | undefined): boolean {
    if (textOf(item['type']) !== this.type) return false;
    const isHere = index === undefined || index === this.index;
    const sameId = isSameText(item['id'], this.item['id']);
    const sameCall = isSameText(item['call_id'], this.item['call_id']);
    if (sameCall === false) return false;
    const isNamed = sameId === true || sameCall === true;
    return this.closed ? isHere && isNamed : isHere || isNamed;
  }

  close(item: JsonObject): void {
    this.item = item;
    this.closed = true;
    const said = item['content'] ?? item['arguments'] ?? item['input'];
    if (this.characters === 0 && said !== undefined) this.characters = JSON.stringify(said).length;
  }

  /** Takes a piece of a text in; gives what there is to show of it. */
  grow(delta: string, field: Growth['field'], part: number): string {
    if (delta === '') return '';
    const texts = this.texts.get(field) ?? new Map<number, string>();
    this.texts.set(field, texts);
    const isNext = texts.size > 0 && !texts.has(part);
    texts.set(part, (texts.get(part) ?? '') + delta);
    this.characters += delta.length;
    return isNext && field === 'summary' ? `\n\n${delta}` : delta;
  }

  /** As it was closed; what that leaves out came in pieces, as all did of one that was never closed. */
  whole(): JsonObject {
    const grown = Object.entries(this.grown()).filter(([field, value]) => {
      return !isNothing(value) && (!this.closed || isNothing(this.item[field]));
    });
    return grown.length === 0 ? this.item : { ...this.item, ...Object.fromEntries(grown) };
  }

  /** What came in pieces, by the fields of the item. */
  private grown(): JsonObject {
    if (this.texts.size === 0) return {};
    if (this.type === 'message')
      return {
        content: [...this.parts('text', 'output_text', 'text'), ...this.parts('refusal', 'refusal', 'refusal')],
      };
    if (this.type === 'reasoning') {
      const summary = this.parts('summary', 'summary_text', 'text');
      return { summary, content: this.parts('thought', 'reasoning_text', 'text') };
    }
    const field = this.type === 'function_call' ? 'arguments' : 'input';
    return { [field]: this.textsOf(field).join('') };
  }

  private parts(field: Growth['field'], type: string, key: string): JsonObject[] {
    return this.textsOf(field).map((text) => ({ type, [key]: text }));
  }

  private textsOf(field: Growth['field']): string[] {
    return [...(this.texts.get(field)?.values() ?? [])];
  }
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Undefined where one of the two says nothing. */
function isSameText(first: unknown, second: unknown): boolean | undefined {
  const [a, b] = [textOf(first), textOf(second)];
  return a === '' || b === '' ? undefined : a === b;
}
