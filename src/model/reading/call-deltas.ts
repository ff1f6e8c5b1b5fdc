/**
 * Calls out of the pieces in which servers of Chat Completions send them. By the protocol a piece names its call by an index; in the
 * wild the index is missing or always 0, ids are missing, empty or new in every piece, and names come again or in pieces. What
 * decides in doubt is whether the arguments are whole: whole ones can't grow, so what comes then is another call.
 */
import type { Json, JsonObject } from '../../core/index.ts';
import { add, isObject, textOf } from '../reply.ts';

/** One piece, as far as it says something. */
interface Piece {
  index: Json | undefined;
  id: string;
  name: string;
  text: string;
  more: JsonObject;
}

export class GrowingCall {
  /** Its place among the calls of the reply. */
  readonly place: number;
  /** The first id that came; empty where none did. */
  id = '';
  name = '';
  /** Fields that aren't interpreted, verbatim. */
  readonly more: JsonObject = {};
  private readonly pieces: string[] = [];
  private readonly progress = new JsonProgress();
  /** Pieces that `progress` has seen. */
  private seen = 0;

  constructor(place: number) {
    this.place = place;
  }

  get text(): string {
    return this.pieces.join('');
  }

  /** Whether the arguments are one JSON object from beginning to end. */
  get isWhole(): boolean {
    this.catchUp();
    return this.progress.state === 'whole';
  }

  /** Whether arguments have begun to come. */
  get isBegun(): boolean {
    this.catchUp();
    return this.progress.state !== 'blank';
  }

  append(text: string): void {
    if (text !== '') this.pieces.push(text);
  }

  private catchUp(): void {
    for (; this.seen < this.pieces.length; this.seen += 1) this.progress.push(this.pieces[this.seen] ?? '');
  }
}

export class CallDeltas {
  /** In the order in which they began. */
  readonly calls: GrowingCall[] = [];
  /** Characters that came for arguments. */
  characters = 0;
  private readonly byIndex = new Map<string, GrowingCall>();
  private readonly byId = new Map<string, GrowingCall>();
  /** The calls of the last entries that came side by side, by their place there. */
  private row: readonly (GrowingCall | undefined)[] = [];
  private idsChange = false;
  private readonly names: ReadonlySet<string>;
  private readonly show: (index: number, name: string) => void;

  /** `names` are those of the tools as they were sent; `show` is told each call when its name comes. */
  constructor(names: ReadonlySet<string>, show: (index: number, name: string) => void) {
    this.names = names;
    this.show = show;
  }

  /** The entries of one chunk. Where several come side by side without an index, their order stands for it. */
  take(entries: readonly JsonObject[]): void {
    const row = entries.map((entry, place) => this.add(entry, entries.length > 1 ? this.row[place] : undefined));
    if (entries.length > 1) this.row = row;
  }

  /** `beside` is what came at the same place the last time. */
  private add(entry: JsonObject, beside: GrowingCall | undefined): GrowingCall | undefined {
    const piece = readPiece(entry);
    const isEmpty = piece.id === '' && piece.name === '' && piece.text === '' && isNothing(piece.more);
    if (isEmpty) return beside;
    const judged = this.idsChange ? { ...piece, id: '' } : piece;
    const open = this.openFor(judged, beside);
    const isNext = open === undefined || !this.continues(open, judged);
    const call = isNext ? this.begin() : open;
    // An id that is new in the middle of a call says that ids mean nothing here.
    if (!isNext && isOther(call.id, piece.id)) this.idsChange = true;
    // A call that began without an index has that of its place.
    const index = JSON.stringify(piece.index ?? call.place);
    if (piece.index !== undefined || !this.byIndex.has(index)) this.byIndex.set(index, call);
    this.grow(call, piece);
    return call;
  }

  /** The call that a piece may go on with. */
  private openFor({ index, id, name }: Piece, beside: GrowingCall | undefined): GrowingCall | undefined {
    const named = id === '' ? undefined : this.byId.get(id);
    if (index === undefined) return named ?? beside ?? this.calls.at(-1);
    const indexed = this.byIndex.get(JSON.stringify(index));
    if (indexed !== undefined || name !== '') return indexed;
    // A new index without a name begins nothing, unless an id says so.
    return id === '' ? this.calls.at(-1) : named;
  }

  private continues(call: GrowingCall, piece: Piece): boolean {
    const { id, name, text } = piece;
    const isOtherId = isOther(call.id, id);
    if (name === '' && !isOtherId) return true;
    const isOtherName = isOther(call.name, name);
    if (call.isWhole) return (id !== '' && !isOtherId) || (!isOtherId && !isOtherName && text.trim() === '');
    if (call.isBegun) return !isOtherName;
    if (isOtherId) return name === '';
    return !isOtherName || this.isOneName(call.name, piece);
  }

  /** Whether another name is the rest of the one that has begun. */
  private isOneName(begun: string, { index, name }: Piece): boolean {
    const joined = begun + name;
    for (const known of this.names) if (known.startsWith(joined)) return true;
    const areTwo = this.names.has(begun) && this.names.has(name);
    return index !== undefined && !areTwo;
  }

  private begin(): GrowingCall {
    const call = new GrowingCall(this.calls.length);
    this.calls.push(call);
    return call;
  }

  private grow(call: GrowingCall, { id, name, text, more }: Piece): void {
    if (call.id === '' && id !== '') {
      call.id = id;
      this.byId.set(id, call);
    }
    add(call.more, more);
    const isNamed = call.name !== '';
    if (name !== '' && name !== call.name) {
      call.name += name;
      if (!isNamed) this.show(call.place, name);
    }
    // A whole call that comes a second time says nothing new.
    if (text === '' || (isNamed && (id !== '' || name !== '') && call.isWhole && text === call.text)) return;
    call.append(text);
    this.characters += text.length;
  }
}

/** Whether both are said and differ. */
function isOther(known: string, said: string): boolean {
  return known !== '' && said !== '' && known !== said;
}

function readPiece({ index, id, type: _, function: called, ...more }: JsonObject): Piece {
  const said = isObject(called) ? called : {};
  const given = said['arguments'];
  return {
    index: index ?? undefined,
    id: textOf(id),
    name: textOf(said['name']),
    text: typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given),
    more,
  };
}

function isNothing(more: JsonObject): boolean {
  return Object.values(more).every((value) => value === null);
}

/** How far a JSON object has come, looked at once, character by character. */
class JsonProgress {
  state: 'blank' | 'begun' | 'whole' | 'odd' = 'blank';
  private depth = 0;
  private inString = false;
  private isEscaped = false;

  push(text: string): void {
    for (let place = 0; place < text.length; place += 1) this.step(text.charCodeAt(place));
  }

  private step(code: number): void {
    if (this.inString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (code === backslash) this.isEscaped = true;
      else if (code === quote) this.inString = false;
      return;
    }
    if (code === space || code === newline || code === carriage || code === tab) return;
    if (this.state === 'whole') {
      this.state = 'odd';
      return;
    }
    if (this.state === 'blank') this.state = code === openBrace ? 'begun' : 'odd';
    if (code === quote) this.inString = true;
    if (code === openBrace || code === openBracket) this.depth += 1;
    if (code === closeBrace || code === closeBracket) this.depth -= 1;
    if (this.depth === 0 && this.state === 'begun') this.state = 'whole';
  }
}

const backslash = 0x5c;
const quote = 0x22;
const space = 0x20;
const newline = 0x0a;
const carriage = 0x0d;
const tab = 0x09;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
