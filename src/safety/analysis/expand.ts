/** From words of the tree to words as a program would get them, as far as that can be told. */
import type { Piece, Statement, Word as TreeWord } from '../grammar/index.ts';
import type { Word } from '../programs/index.ts';
import { expandBraces } from './braces.ts';
import { emptyField, hold, wordOf, type Field } from './field.ts';
import { isObjectNames } from './object-names.ts';
import { choicesOf, joined, trimmed } from './choices.ts';
import { union } from './origins.ts';
import { outputOf, type Output } from './output.ts';
import type { Scope, Value } from './scope.ts';

/** What the expansion needs to know beside the scope. */
export interface Surroundings {
  home: string;
  workspace: string;
}

/** All words that a list of words becomes. */
export function expandWords(words: readonly TreeWord[], scope: Scope, surroundings: Surroundings): Word[] {
  return words.flatMap((word) => expandWord(word, scope, surroundings));
}

export function expandWord(word: TreeWord, scope: Scope, surroundings: Surroundings): Word[] {
  const spliced = argumentsOf(word, scope);
  if (spliced !== undefined) return spliced;
  const choices = expandBraces(word.pieces);
  if (choices === undefined) return [{ source: word.source, text: null, isSeveral: true }];
  const fields = choices.flatMap((pieces) => new Fields(scope, surroundings).of(pieces));
  const isOne = fields.length === 1;
  return fields.map((field) => ({ ...field, source: isOne ? word.source : (field.text ?? word.source) }));
}

/** A word where none is split and no names are filled in: a value, the text of a heredoc. */
export function expandToOne(word: TreeWord, scope: Scope, surroundings: Surroundings): Word {
  const quoted = word.pieces.map((piece): Piece =>
    piece.kind === 'pattern' ? { kind: 'text', text: piece.source, quoted: true } : piece,
  );
  const text = new Fields(scope, surroundings, true).of(quoted)[0] ?? { source: '', text: '' };
  const { isPattern: _, isSeveral: __, ...one } = text;
  return { ...one, source: word.source };
}

/** `"$@"` alone, where the arguments are known. */
function argumentsOf({ pieces }: TreeWord, { positional }: Scope): Word[] | undefined {
  const [only] = pieces;
  const isArguments =
    pieces.length === 1 && only?.kind === 'variable' && only.name === '@' && only.operator === undefined;
  return isArguments && positional !== null ? positional : undefined;
}

/** What is known of a value that can't be told. */
interface Guess {
  isNames?: boolean;
  may?: readonly string[];
  isUnset?: boolean;
  from?: readonly string[];
}

class Fields {
  readonly #scope: Scope;
  readonly #surroundings: Surroundings;
  /** No splitting. */
  readonly #isOne: boolean;
  readonly #done: Field[] = [];
  #field: Field = emptyField();

  constructor(scope: Scope, surroundings: Surroundings, isOne = false) {
    this.#scope = scope;
    this.#surroundings = surroundings;
    this.#isOne = isOne;
  }

  of(pieces: readonly Piece[]): Word[] {
    for (const [index, piece] of pieces.entries()) this.#add(piece, index === 0, pieces.length === 1);
    this.#finish();
    return this.#done.map(wordOf);
  }

  #add(piece: Piece, isFirst: boolean, isAlone: boolean): void {
    const isNames = isObjectNames(piece, this.#scope);
    switch (piece.kind) {
      case 'text':
        if (isFirst && !piece.quoted && piece.text.startsWith('~')) this.#tilde(piece.text, isAlone);
        else this.#text(piece.text, piece.quoted);
        return;
      case 'variable':
        return this.#variable(piece, isNames);
      case 'pattern':
        return this.#text(piece.source, false, true);
      case 'arithmetic':
        return this.#unknown(true);
      case 'substitution':
        // A file that the shell makes, under a name of this kind.
        if (/^[<>]/.test(piece.as)) return this.#file(piece);
        if (this.#isFolder(piece.body)) return this.#text(this.#scope.folder ?? '', true);
        return this.#substitution(piece.body, piece.quoted, isNames);
      case 'opaque':
        return this.#unknown(piece.quoted, { may: this.#madeOf(piece), from: this.#fromOf(piece) });
    }
  }

  #substitution(body: readonly Statement[], quoted: boolean, isNames: boolean): void {
    const { text, may } = this.#outputOf(body);
    const from = this.#scope.origins.outputOf(body);
    if (text === undefined) return this.#unknown(quoted, { isNames, may, from });
    if (quoted || this.#isOne) return this.#text(text, quoted);
    this.#split(text);
  }

  #file({ as, body }: Extract<Piece, { kind: 'substitution' }>): void {
    this.#text('/dev/fd/63', true);
    if (!as.startsWith('<')) return;
    this.#field.fileFrom = this.#scope.origins.outputOf(body);
    this.#field.fileText = this.#outputOf(body).text;
  }

  #outputOf([statement, ...others]: readonly Statement[]): Output {
    const command = statement?.command;
    const isPlain = command?.kind === 'simple' && others.length === 0 && statement?.redirections.length === 0;
    if (!isPlain) return { may: [] };
    const words = expandWords(command.words, this.#scope, this.#surroundings);
    return outputOf(words, this.#scope, this.#surroundings.workspace);
  }

  /** What an expansion that takes something away, or one of several, may leave. */
  #madeOf({ of }: Extract<Piece, { kind: 'opaque' }>): readonly string[] {
    if (of === undefined) return [];
    const pattern = of.operand === undefined ? null : expandToOne(of.operand, this.#scope, this.#surroundings).text;
    const value = valueOf(of.name, this.#scope, this.#surroundings);
    return choicesOf(value).map((text) => trimmed(text, of.trim, pattern));
  }

  #fromOf({ of, words }: Extract<Piece, { kind: 'opaque' }>): readonly string[] {
    const value: Value = of === undefined ? { text: null } : valueOf(of.name, this.#scope, this.#surroundings);
    return union(
      value.from ?? [],
      ...words.map((word) => expandToOne(word, this.#scope, this.#surroundings).from ?? []),
    );
  }

  /** `$(pwd)`, where it is known. */
  #isFolder(body: readonly Statement[]): boolean {
    const command = body.length === 1 ? body[0]?.command : undefined;
    const isShadowed = this.#scope.functions.has('pwd') || this.#scope.aliases.has('pwd');
    return (
      command?.kind === 'simple' &&
      command.words.length === 1 &&
      command.words[0]?.source === 'pwd' &&
      this.#scope.folder !== null &&
      !isShadowed
    );
  }

  #text(text: string, quoted: boolean, isPattern = false): void {
    const field = this.#field;
    if (field.text === null && !field.isContinued && text !== '') {
      field.isContinued = true;
      if (text.startsWith('-')) field.isNames = false;
    }
    if (quoted) field.isKept = true;
    if (isPattern || (!quoted && (/[*?]|\[.*\]/s.test(text) || (field.isOpen && text.includes(']')))))
      field.isPattern = true;
    if (!quoted && text.includes('[')) field.isOpen = true;
    field.may = joined(field.may, [text]);
    if (field.bare !== undefined) field.bare += text;
    field.tail += text;
    if (field.text !== null) field.text += text;
    if (field.text !== null) field.prefix = field.text;
  }

  /** `~` and `~/`: home. `~+`: the folder. Those of others can't be told. */
  #tilde(text: string, isAlone: boolean): void {
    const [, who = '', rest = ''] = /^~([^/]*)([\s\S]*)$/.exec(text) ?? [];
    // In `~"x"`, it stands for itself.
    const isWhole = isAlone || rest !== '';
    const folder = who === '' ? this.#surroundings.home : who === '+' ? this.#scope.folder : null;
    if (!isWhole) return this.#unknown(true);
    if (folder === null) this.#unknown(true, { may: homeOf(who, this.#surroundings) });
    else this.#text(folder, true);
    this.#text(rest, false);
  }

  #variable({ name, quoted, operator, operand }: Extract<Piece, { kind: 'variable' }>, isNames: boolean): void {
    const value = this.#fallback(valueOf(name, this.#scope, this.#surroundings), name, operator, operand);
    const isOne = quoted && name !== '@';
    if (value.text === null) {
      const isUnset = !this.#scope.variables.has(name) && value.isNumber !== true && operator === undefined;
      const start = isOne ? (value.prefix ?? '') : '';
      if (start !== '') this.#text(start, quoted);
      const may = choicesOf(value).flatMap((each) => (each.startsWith(start) ? [each.slice(start.length)] : []));
      const guess = { isNames, may, isUnset, from: value.from ?? [] };
      return this.#unknown(isOne || value.isNumber === true, guess);
    }
    if (isOne || this.#isOne) return this.#text(value.text, quoted);
    this.#split(value.text);
  }

  #fallback(value: Value, name: string, operator: string | undefined, operand: TreeWord | undefined): Value {
    if (operator === undefined || operand === undefined) return value;
    const other = expandToOne(operand, this.#scope, this.#surroundings);
    const isSet =
      value.text === null
        ? undefined
        : value.text !== '' || (!operator.startsWith(':') && this.#scope.variables.has(name));
    const result = resultOf(operator, isSet, value, other);
    if (operator.endsWith('=') && isSet !== true) this.#scope.setVariable(name, result);
    return result;
  }

  /** As the shell splits what stands in a variable, by blanks. */
  #split(text: string): void {
    const custom = this.#scope.variables.has('IFS');
    if (custom && text !== '') return this.#unknown(false);
    const [first = '', ...rest] = text.split(/[ \t\n]+/);
    if (first !== '') this.#text(first, false);
    for (const part of rest) {
      this.#finish();
      if (part !== '') this.#text(part, false);
    }
  }

  /** `may`: what it could be. `isUnset`: it may be nothing at all, since the line doesn't set it. */
  #unknown(isOne: boolean, { isNames = false, may = [], isUnset = false, from = [] }: Guess = {}): void {
    const field = this.#field;
    hold(field, from);
    if (field.text !== '' || field.isPattern || !isUnset) field.bare = undefined;
    if (field.text !== null) field.isNames = !field.text.startsWith('-');
    field.isNames &&= isNames;
    field.may = joined(field.may, may);
    field.text = null;
    this.#field.isKept = true;
    if (!isOne && !this.#isOne) this.#field.isSeveral = true;
  }

  #finish(): void {
    const field = this.#field;
    if (field.text !== '' || field.isKept) this.#done.push(field);
    this.#field = emptyField();
  }
}

function resultOf(operator: string, isSet: boolean | undefined, value: Value, other: Value): Value {
  const isInstead = operator.endsWith('+');
  const from = union(value.from ?? [], other.from ?? []);
  if (isSet === undefined)
    return { text: null, from, may: [...(isInstead ? [] : choicesOf(value)), ...choicesOf(other)] };
  if (isInstead) return isSet ? other : { text: '' };
  return isSet ? value : other;
}

/** Of another user: beside this one’s. */
function homeOf(who: string, { home }: Surroundings): readonly string[] {
  if (!/^[\w.-]+$/.test(who)) return [];
  return [who === 'root' ? '/root' : `${home.slice(0, home.lastIndexOf('/'))}/${who}`];
}

function valueOf(name: string, scope: Scope, { home }: Surroundings): Value {
  const known = scope.variables.get(name);
  if (known !== undefined) return known;
  if (name === 'HOME') return { text: home };
  if (name === 'PWD') return { text: scope.folder };
  if (/^[#?$!-]$/.test(name)) return { text: null, isNumber: name !== '-' };
  if (/^[1-9]$/.test(name) && scope.positional !== null) {
    const word = scope.positional[Number(name) - 1];
    if (word === undefined) return { text: '' };
    return { text: word.isPattern === true ? null : word.text, from: word.from ?? [] };
  }
  return { text: null };
}
