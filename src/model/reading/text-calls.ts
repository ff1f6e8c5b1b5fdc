/**
 * Calls that a model printed as text, because its server or its template has no form for them: a JSON object, a fenced one,
 * `<tool_call>`, `<function=name>`. Only what stands alone, as the whole text or at its end, is a call; everything else only shows
 * one. Where one of several names no tool, none is run: the later ones may count on it.
 */
import type { Json, JsonObject } from '../../core/index.ts';
import { entriesOf, entryOf, typesOf, valueOf } from './call-shapes.ts';
import { endOfJson, mendJson } from './json-mending.ts';
import { isObject, parseArguments, parseJson } from '../reply.ts';

export interface TextCall {
  /** A name that a tool has. */
  name: string;
  arguments: JsonObject;
  /** The raw arguments, where they are no JSON object. */
  malformed?: string;
  /** What was mended, in words. */
  repairs: string[];
}

export interface TextCalls {
  /** What stands before the calls. */
  text: string;
  calls: TextCall[];
}

/** Tools by name, with the schemas of their arguments. */
type Tools = ReadonlyMap<string, JsonObject>;

/** A part of the text: calls, something else, or a call that names no tool. */
interface Block {
  end: number;
  calls: TextCall[] | 'none' | 'unknown';
}

/** Characters; no call of a model that prints them comes near it. */
const longestText = 2_000_000;
/** How often, on average, a character may be looked at before the search is given up. */
const patience = 20;

/** Words in the line before that announce an example. */
const exampleWords = /\b(?:examples?|for instance|e\.g\.|samples?|would (?:look|be|send|write|call|use))(?!\w)/i;

const missingTag = 'a closing tag that was missing';

/** The calls at the end of a text; undefined where there are none. */
export function callsInText(text: string, tools: Tools): TextCalls | undefined {
  if (text.length > longestText) return undefined;
  return new Search(text, tools).run();
}

class Search {
  private readonly text: string;
  private readonly tools: Tools;
  /** Characters that may still be looked at. */
  private left: number;

  constructor(text: string, tools: Tools) {
    this.text = text;
    this.tools = tools;
    this.left = text.length * patience + 1_000;
  }

  run(): TextCalls | undefined {
    let start: number | undefined;
    let calls: TextCall[] = [];
    let isWhole = true;
    for (let place = this.skipSpace(0); place < this.text.length;) {
      if (this.left < 0) return undefined;
      const block = this.blockAt(place);
      if (block.calls === 'none') {
        start = undefined;
        calls = [];
        isWhole = true;
      } else {
        start ??= place;
        if (block.calls === 'unknown') isWhole = false;
        else calls.push(...block.calls);
      }
      place = this.skipSpace(block.end);
    }
    if (start === undefined || !isWhole || calls.length === 0) return undefined;
    const text = this.text.slice(0, start).trimEnd();
    const lastLine = text.slice(text.lastIndexOf('\n') + 1);
    return exampleWords.test(lastLine) ? undefined : { text, calls };
  }

  private blockAt(place: number): Block {
    const fence = this.match(/(`{3,20}|~{3,20})[^\n]*\n/y, place);
    if (fence !== undefined) return this.fenced(place, fence);
    if (this.text.startsWith('<tool_call>', place)) return this.tagged(place);
    if (this.text.startsWith('<function=', place)) return this.function(place) ?? this.line(place);
    const first = this.text[place];
    return first === '{' || first === '[' ? this.bare(place) : this.line(place);
  }

  /** A line that is no call. */
  private line(place: number): Block {
    const end = this.text.indexOf('\n', place);
    return { end: end < 0 ? this.text.length : end, calls: 'none' };
  }

  /** What a fence holds is a call when it holds nothing else. One that never closes holds the rest of the text. */
  private fenced(place: number, opening: RegExpExecArray): Block {
    const start = place + opening[0].length;
    // It closes with as many marks as it opened with, or more.
    const closing = new RegExp(`^[ \\t]*${opening[1]}+[ \\t]*$`, 'gm');
    closing.lastIndex = start;
    const found = closing.exec(this.text);
    this.left -= (found?.index ?? this.text.length) - start;
    if (found === null) return { end: this.text.length, calls: 'none' };
    const end = found.index + found[0].length;
    const inner = this.text.slice(start, found.index).trim();
    if (inner.startsWith('<')) {
      const tagged = new Search(inner, this.tools).run();
      return { end, calls: tagged?.text === '' ? tagged.calls : 'none' };
    }
    const lines = this.listed(inner);
    return { end, calls: lines ?? 'none' };
  }

  /** One call, a list of them, or one after the other. */
  private listed(text: string): Block['calls'] | undefined {
    const calls: TextCall[] = [];
    for (let place = 0; place < text.length;) {
      const end = endOfJson(text, place);
      this.left -= (end ?? text.length) - place;
      const read = end === undefined ? undefined : this.callsOf(text.slice(place, end));
      if (end === undefined || read === undefined || read === 'unknown') return read;
      if (read !== 'none') calls.push(...read);
      place = end + (/^[\s,]*/.exec(text.slice(end, end + 100))?.[0].length ?? 0);
    }
    return calls.length === 0 ? undefined : calls;
  }

  private bare(place: number): Block {
    const end = endOfJson(this.text, place);
    this.left -= (end ?? this.text.length) - place;
    if (end === undefined) return this.line(place);
    return { end, calls: this.callsOf(this.text.slice(place, end)) ?? 'none' };
  }

  private tagged(place: number): Block {
    const start = this.skipSpace(place + '<tool_call>'.length);
    if (this.text.startsWith('<function=', start)) {
      const inner = this.function(start);
      if (inner === undefined) return this.line(place);
      const closing = this.match(/\s*<\/tool_call>/y, inner.end);
      return { ...inner, end: inner.end + (closing?.[0].length ?? 0) };
    }
    const json = endOfJson(this.text, start);
    this.left -= (json ?? this.text.length) - start;
    const closing = json === undefined ? undefined : this.match(/\s*<\/tool_call>/y, json);
    // Servers cut the closing tag off, when it is where the model stops; the JSON before it is whole.
    const isOpen = json !== undefined && this.match(/\s*(?:<tool_call>|$)/y, json) !== undefined;
    const calls = closing !== undefined || isOpen ? this.callsOf(this.text.slice(start, json)) : undefined;
    if (json !== undefined && calls !== undefined) {
      const end = json + (closing?.[0].length ?? 0);
      return { end, calls: isOpen ? withRepair(calls, missingTag) : calls };
    }
    const close = this.text.indexOf('</tool_call>', start);
    this.left -= (close < 0 ? this.text.length : close) - start;
    if (close < 0 || isOpen) return this.line(place);
    return { end: close + '</tool_call>'.length, calls: this.malformed(this.text.slice(start, close)) };
  }

  /** A call in tags whose JSON is none: the model is told so, if it can be told which call. */
  private malformed(raw: string): Block['calls'] {
    const head = /^\s*\{\s*"name"\s*:\s*"([^"\\]+)"\s*,\s*"(?:arguments|parameters)"\s*:\s*/.exec(raw);
    const name = head?.[1];
    if (head === null || name === undefined || !this.tools.has(name)) return 'unknown';
    return [{ name, arguments: {}, malformed: raw.slice(head[0].length).trim(), repairs: [] }];
  }

  /** `<function=name>` around JSON or around `<parameter=name>`; undefined where it is neither or never ends. */
  private function(place: number): Block | undefined {
    const head = this.match(/<function=([^>\s]{1,128})>\s*/y, place);
    const name = head?.[1];
    if (head === undefined || name === undefined) return undefined;
    const start = place + head[0].length;
    const schema = this.tools.get(name);
    if (this.text[start] === '{') return this.functionJson(start, name, schema !== undefined);
    const read = this.parameters(start, schema ?? {});
    if (read === undefined) return undefined;
    const { end, values, repairs } = read;
    return { end, calls: schema === undefined ? 'unknown' : [{ name, arguments: values, repairs }] };
  }

  private functionJson(start: number, name: string, isKnown: boolean): Block | undefined {
    const json = endOfJson(this.text, start);
    this.left -= (json ?? this.text.length) - start;
    const close = this.text.indexOf('</function>', json ?? start);
    this.left -= (close < 0 ? this.text.length : close) - start;
    const isClosed = json !== undefined && close >= 0 && this.text.slice(json, close).trim() === '';
    const isOpen = json !== undefined && close < 0 && this.text.slice(json).trim() === '';
    if (close < 0 && !isOpen) return undefined;
    const end = isOpen ? this.text.length : close + '</function>'.length;
    if (!isKnown) return { end, calls: 'unknown' };
    const call = callWith(name, this.text.slice(start, isClosed || isOpen ? json : close).trim());
    return { end, calls: isOpen ? withRepair([call], missingTag) : [call] };
  }

  /** Values between tags are text; what the schema wants otherwise is read as JSON. A name that comes twice makes it no call. */
  private parameters(start: number, schema: JsonObject): Parameters | undefined {
    const values = new Map<string, Json>();
    const repairs = new Set<string>();
    let place = start;
    for (;;) {
      if (this.text.startsWith('</function>', place)) {
        const end = place + '</function>'.length;
        return { end, values: Object.fromEntries(values), repairs: [...repairs] };
      }
      const head = this.match(/<parameter=([^>\s]{1,256})>/y, place);
      const name = head?.[1];
      if (head === undefined || name === undefined || values.has(name)) return undefined;
      const begin = place + head[0].length;
      const close = this.endOfParameter(begin);
      if (close === undefined) return undefined;
      values.set(name, valueOf(this.text.slice(begin, close), typesOf(schema, name), repairs));
      place = this.skipSpace(close + '</parameter>'.length);
    }
  }

  /** The closing tag that is followed by the next parameter or by the end; one inside of a value is part of it. */
  private endOfParameter(begin: number): number | undefined {
    let close = this.text.indexOf('</parameter>', begin);
    while (close >= 0) {
      if (this.match(/<\/parameter>\s*(?:<parameter=|<\/function>)/y, close) !== undefined) break;
      close = this.text.indexOf('</parameter>', close + 1);
    }
    this.left -= (close < 0 ? this.text.length : close) - begin;
    return close < 0 ? undefined : close;
  }

  /** Calls in a JSON text; undefined where it is something else. */
  private callsOf(raw: string): Block['calls'] | undefined {
    const parsed = parseJson(raw);
    const { value, repairs } =
      parsed === undefined ? (mendJson(raw) ?? { value: null, repairs: [] }) : { value: parsed, repairs: [] };
    const entries = entriesOf(value).map(entryOf);
    if (entries.length === 0 || entries.some((entry) => entry === undefined)) return undefined;
    const known = entries.flatMap((entry) => (entry !== undefined && this.tools.has(entry.name) ? entry : []));
    if (known.length < entries.length) return 'unknown';
    return known.map(({ name, given }) => {
      const call: TextCall =
        typeof given === 'string' ? callWith(name, given) : { name, arguments: given, repairs: [] };
      return { ...call, repairs: [...repairs, ...call.repairs] };
    });
  }

  private match(pattern: RegExp, place: number): RegExpExecArray | undefined {
    pattern.lastIndex = place;
    return pattern.exec(this.text) ?? undefined;
  }

  private skipSpace(place: number): number {
    return place + (this.match(/\s*/y, place)?.[0].length ?? 0);
  }
}

interface Parameters {
  end: number;
  values: JsonObject;
  repairs: string[];
}

function callWith(name: string, raw: string): TextCall {
  const parsed = parseArguments(raw);
  const mended = parsed.malformed === undefined ? undefined : mendJson(raw);
  if (mended === undefined || !isObject(mended.value)) return { name, ...parsed, repairs: [] };
  return { name, arguments: mended.value, repairs: mended.repairs };
}

function withRepair(calls: Block['calls'], repair: string): Block['calls'] {
  if (calls === 'none' || calls === 'unknown') return calls;
  return calls.map((call, index) =>
    index === calls.length - 1 ? { ...call, repairs: [...call.repairs, repair] } : call,
  );
}
