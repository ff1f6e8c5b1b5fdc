/** A word in the making: what is known of it so far. */
import { beginsCommand, type Word } from '../programs/index.ts';
import { union } from './origins.ts';

export interface Field {
  text: string | null;
  prefix: string;
  /** What stands in it since the last piece that isn’t known. */
  tail: string;
  from: readonly string[];
  leads: readonly string[];
  fileFrom: readonly string[];
  fileText: string | undefined;
  /** What it may be so far; empty where nothing is known of that. */
  may: readonly string[];
  /** What it is where an unknown variable at its beginning is empty. */
  bare: string | undefined;
  isPattern: boolean;
  /** There is a `[`, which only a `]` behind it makes a pattern. */
  isOpen: boolean;
  isSeveral: boolean;
  /** It stays also where nothing is in it. */
  isKept: boolean;
  /** What isn’t known in it is names of objects, and it doesn’t begin with a dash. */
  isNames: boolean;
  /** There is text behind something that isn’t known. */
  isContinued: boolean;
}

export function emptyField(): Field {
  return {
    text: '',
    prefix: '',
    tail: '',
    from: [],
    leads: [],
    fileFrom: [],
    fileText: undefined,
    may: [''],
    bare: '',
    isPattern: false,
    isOpen: false,
    isSeveral: false,
    isKept: false,
    isNames: false,
    isContinued: false,
  };
}

export function wordOf(field: Field): Word {
  const { text, prefix, from, leads, fileFrom, fileText, may, bare, isPattern, isSeveral, isNames } = field;
  return {
    source: '',
    text,
    ...(text === null && prefix !== '' && { prefix }),
    ...(from.length > 0 && { from }),
    ...(leads.length > 0 && { leads }),
    ...(fileFrom.length > 0 && { fileFrom }),
    ...(fileText !== undefined && { fileText }),
    ...(text === null && may.length > 0 && { may }),
    ...(text === null && bare?.startsWith('/') === true && { bare }),
    ...(isPattern && { isPattern }),
    ...(text === null && isSeveral && { isSeveral }),
    ...(text === null && (isNames || isBegun(prefix, isSeveral)) && { isNoOption: true }),
  };
}

/** One word that begins with something else than a dash. */
function isBegun(prefix: string, isSeveral: boolean): boolean {
  return !isSeveral && prefix !== '' && !prefix.startsWith('-');
}

/** It has come to something that isn’t known, and that holds what these programs give. */
export function hold(field: Field, from: readonly string[]): void {
  const isFirst = field.text === field.tail;
  // Text right behind something that isn’t known begins nothing by itself.
  if (beginsCommand(isFirst ? field.tail : `-${field.tail}`)) field.leads = union(field.leads, from);
  field.from = union(field.from, from);
  field.tail = '';
}
