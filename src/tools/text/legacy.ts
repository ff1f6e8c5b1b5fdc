/** The legacy encodings: told apart by statistics, and believed only where the bytes come out the same again. */
import { isBrokenUtf8, isByteByByteText, looksWestern } from './evidence.ts';

const names = {
  gb18030: 'GB18030 (GBK)',
  big5: 'Big5',
  shift_jis: 'Shift-JIS',
  'euc-jp': 'EUC-JP',
  'euc-kr': 'EUC-KR',
  'iso-8859-2': 'ISO-8859-2',
  'iso-8859-5': 'ISO-8859-5',
  'iso-8859-9': 'ISO-8859-9',
  'koi8-r': 'KOI8-R',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1252': 'Windows-1252',
  'windows-1254': 'Windows-1254',
  'windows-1256': 'Windows-1256',
} as const;

export type LegacyEncoding = keyof typeof names;
export const legacyNames: { [E in LegacyEncoding]: string } = names;

const doubleByte = new Set<string>(['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr']);
/** Encodings that the detector takes for each other: which of them it names makes no difference to how sure it is. */
const families: { [name: string]: string } = {
  'windows-1250': 'central',
  'iso-8859-2': 'central',
  'windows-1252': 'western',
  'iso-8859-1': 'western',
  'windows-1254': 'turkish',
  'iso-8859-9': 'turkish',
  'windows-1256': 'arabic',
  'iso-8859-6': 'arabic',
};

/** Of 100: what the detector must say, and how far ahead of the next one; found by trial on short and long texts of each. */
const doubleByteSure = 80;
const doubleByteAhead = 15;
const singleByteSure = 40;
const singleByteAhead = 20;
/** Bytes above 7F below which statistics of letters say nothing. */
const fewestHigh = 6;
/** Bytes, of lines that have any above 7F, that are looked at. */
const probe = 65_536;

/** Decodes and encodes one encoding. */
export interface Table {
  encoding: LegacyEncoding;
  decode(bytes: Buffer): string;
  /** Undefined where the text doesn't come out the same again. */
  encode(text: string): Buffer | undefined;
}

interface Guess {
  name: string;
  /** 0 to 100. */
  confidence: number;
}

/** What iconv-lite offers. */
interface Converter {
  decode(bytes: Buffer, encoding: string, options: { stripBOM: boolean }): string;
  encode(text: string, encoding: string, options: { addBOM: boolean }): Buffer;
}

/**
 * The table of the encoding that bytes are surely in which are no UTF-8; `latin-1` needs none. Undefined where no encoding is sure:
 * a few characters can mean something in several.
 */
export async function legacyTable(bytes: Buffer): Promise<Table | 'latin-1' | undefined> {
  const units = linesWithHigh(bytes);
  if (isBrokenUtf8(units)) return undefined;
  const { default: converter } = await import('iconv-lite');
  const { default: detector } = await import('chardet');
  const sample = Buffer.from(units, 'latin1');
  const guesses = detector.analyse(sample).map(({ name, confidence }) => ({ name: name.toLowerCase(), confidence }));
  const tables = [...doubleByte].map((name) => tableOf(name as LegacyEncoding, converter));
  const readable = isByteByByteText(units) ? [] : tables.filter((table) => reads(table, sample));
  const likely = readable.filter((table) => !isNarrow(table, sample));
  const western = readable.length === 0 ? westernOf(units) : undefined;
  const sure = likely.length > 0 ? sureDoubleByte(likely, guesses) : sureSingleByte(units, western, guesses);
  if (sure === undefined) return undefined;
  if (sure === 'latin-1') return hasControls(bytes) ? undefined : sure;
  const table = tableOf(sure, converter);
  return reads(table, bytes) ? table : undefined;
}

/** Bytes that are control characters in Latin-1. */
function hasControls(bytes: Buffer): boolean {
  return /[\x80-\x9f]/.test(bytes.toString('latin1'));
}

/** The lines that have bytes above 7F, whole ones, up to the bound. */
function linesWithHigh(bytes: Buffer): string {
  const units = bytes.toString('latin1');
  const high = /[\x80-\xff]/g;
  let lines = '';
  while (high.test(units)) {
    const start = units.lastIndexOf('\n', high.lastIndex - 1) + 1;
    const end = units.indexOf('\n', high.lastIndex);
    const line = units.slice(start, end === -1 ? units.length : end + 1);
    if (lines !== '' && lines.length + line.length > probe) break;
    lines += line;
    high.lastIndex = start + line.length;
  }
  return lines;
}

function tableOf(encoding: LegacyEncoding, converter: Converter): Table {
  const decode = (bytes: Buffer) => converter.decode(bytes, encoding, { stripBOM: false });
  return {
    encoding,
    decode,
    encode(text) {
      // The tables have the replacement mark in the place of bytes that mean nothing.
      if (text.includes('\ufffd')) return undefined;
      const bytes = converter.encode(text, encoding, { addBOM: false });
      return decode(bytes) === text ? bytes : undefined;
    },
  };
}

/** Whether the bytes come out the same again, and none of their characters is one that no text has there. */
function reads(table: Table, bytes: Buffer): boolean {
  const text = table.decode(bytes);
  const { encoding } = table;
  if (/[\x80-\x9f\ufffd]|\p{Co}|\p{Cn}/u.test(text)) return false;
  if (!doubleByte.has(encoding) && encoding !== 'windows-1252' && !readsAsWords(text)) return false;
  return table.encode(text)?.equals(bytes) === true;
}

/** A capital within a word, letters that only the Serbs and Macedonians have, or many signs, are those of another encoding. */
function readsAsWords(text: string): boolean {
  if (/\p{Ll}\p{Lu}|[ЂЃЉЊЌЋЏђѓљњќћџ]/u.test(text)) return false;
  const letters = text.match(/(?=[^\0-\x7f])\p{L}/gu)?.length ?? 0;
  return letters * 4 >= highOf(text) * 3;
}

/** Text of Japan that is mostly katakana of half width: single bytes, which make sense of almost anything. */
function isNarrow(table: Table, bytes: Buffer): boolean {
  if (table.encoding !== 'shift_jis') return false;
  const text = table.decode(bytes);
  const narrow = text.match(/[\uff61-\uff9f]/g)?.length ?? 0;
  return narrow * 4 >= highOf(text) * 3;
}

function highOf(text: string): number {
  return text.match(/[^\0-\x7f]/g)?.length ?? 0;
}

function sureDoubleByte(readable: readonly Table[], guesses: readonly Guess[]): LegacyEncoding | undefined {
  const [first, second] = guesses.filter(({ name }) => readable.some(({ encoding }) => encoding === name));
  if (first === undefined || first.confidence < doubleByteSure) return undefined;
  if (second !== undefined && first.confidence - second.confidence < doubleByteAhead) return undefined;
  return first.name as LegacyEncoding;
}

function sureSingleByte(
  units: string,
  western: LegacyEncoding | 'latin-1' | undefined,
  guesses: readonly Guess[],
): LegacyEncoding | 'latin-1' | undefined {
  if (highOf(units) < fewestHigh) return western;
  const [first] = guesses;
  if (first === undefined || doubleByte.has(first.name)) return western;
  const family = familyOf(first.name);
  const rival = guesses.find(({ name }) => familyOf(name) !== family)?.confidence ?? 0;
  const isSure = first.confidence >= singleByteSure && first.confidence - rival >= singleByteAhead;
  if (!isSure || family === 'western') return western;
  return Object.hasOwn(names, first.name) ? (first.name as LegacyEncoding) : undefined;
}

function westernOf(units: string): LegacyEncoding | 'latin-1' | undefined {
  if (!looksWestern(units)) return undefined;
  return /[\x80-\x9f]/.test(units) ? 'windows-1252' : 'latin-1';
}

function familyOf(name: string): string {
  return families[name] ?? name;
}
