/** What a shell has in mind at a point of a line: its folder, variables, functions and aliases, as far as they can be told. */
import { eitherOf } from './choices.ts';
import { union, type Origins } from './origins.ts';
import type { Statement } from '../grammar/index.ts';
import { isHarmlessVariable, tellsPrograms, type Word } from '../programs/index.ts';

export interface Value {
  /** Null where it can't be told. */
  text: string | null;
  /** Programs whose output is in it. */
  from?: readonly string[];
  /** Where it is null: what it may be, as far as the line says so. */
  may?: readonly string[];
  isExported?: boolean;
  /** It is an array: what it is declared with is expanded once more. */
  isArray?: boolean;
  /** It holds digits only, whatever they are. */
  isNumber?: boolean;
  /** What it begins with for certain, where its text can't be told. */
  prefix?: string;
  /** It holds names of objects of Git or numbers, whatever they are: no option. */
  isNames?: boolean;
}

/** Alternatives beyond this many are taken together at once. */
const alternativesAtMost = 4;

export class Scope {
  /** As `$PWD` has it, links included; null where it can't be told. */
  folder: string | null;
  /** The same with links resolved. */
  realFolder: string | null;
  /** What `cd -` and `popd` lead back to. */
  earlierFolders: (string | null)[] = [];
  /** Those that the line sets; all others are as they were before it, and unknown. */
  variables = new Map<string, Value>();
  /** What variables of the running function were before it declared them, and are again after it; absent outside of functions. */
  hidden: Map<string, Value | undefined> | undefined;
  /** Null: which one it is, if any, can't be told. */
  functions = new Map<string, Statement | null>();
  aliases = new Map<string, string | null>();
  /** Arguments of the shell or of the function; null where they can't be told. */
  positional: Word[] | null = null;
  /** Why the meaning of all that follows can't be told. */
  doubt: string | undefined;
  /** Nothing behind this point is reached. */
  hasEnded = false;
  /** What may be so instead, where a command before has failed. */
  alternatives: Scope[] = [];

  /** The same in all scopes of a line. */
  readonly origins: Origins;

  constructor(folder: string | null, realFolder: string | null, origins: Origins) {
    this.origins = origins;
    this.folder = folder;
    this.realFolder = realFolder;
  }

  clone(): Scope {
    const copy = new Scope(this.folder, this.realFolder, this.origins);
    copy.earlierFolders = [...this.earlierFolders];
    copy.variables = new Map(this.variables);
    copy.hidden = this.hidden && new Map(this.hidden);
    copy.functions = new Map(this.functions);
    copy.aliases = new Map(this.aliases);
    copy.positional = this.positional;
    copy.doubt = this.doubt;
    return copy;
  }

  /** A shell of its own that begins where this one is (`sh -c`): it has the exported variables, and those of before. */
  child(): Scope {
    const child = new Scope(this.folder, this.realFolder, this.origins);
    child.doubt = this.doubt;
    for (const [name, value] of this.variables) {
      child.variables.set(name, value.isExported === true ? value : { text: null, isExported: true });
    }
    return child;
  }

  /** Keeps what is so in both; what differs can't be told any more. */
  merge(other: Scope): void {
    if (this.folder !== other.folder) this.folder = null;
    if (this.realFolder !== other.realFolder) this.realFolder = null;
    if (this.earlierFolders.join('\0') !== other.earlierFolders.join('\0')) this.earlierFolders = [];
    for (const name of new Set([...this.variables.keys(), ...other.variables.keys()])) {
      this.variables.set(name, mergedValue(this.variables.get(name), other.variables.get(name)));
    }
    for (const name of new Set([...(this.hidden?.keys() ?? []), ...(other.hidden?.keys() ?? [])])) {
      const isSame =
        this.hidden?.has(name) === other.hidden?.has(name) && this.hidden?.get(name) === other.hidden?.get(name);
      if (!isSame) this.hidden?.set(name, { text: null });
    }
    mergeInto(this.functions, other.functions);
    mergeInto(this.aliases, other.aliases);
    if (this.positional !== other.positional) this.positional = null;
    this.doubt ??= other.doubt;
  }

  /** It may be like this instead. */
  addAlternative(other: Scope): void {
    this.alternatives.push(other);
    if (this.alternatives.length <= alternativesAtMost) return;
    const [first, ...rest] = this.alternatives;
    for (const each of rest) first?.merge(each);
    this.alternatives = first === undefined ? [] : [first];
  }

  /** Whether the commands before have failed makes no difference any more. */
  settle(): void {
    const { alternatives } = this;
    this.alternatives = [];
    for (const each of alternatives) this.merge(each);
  }

  /** Becomes the other one. */
  become(other: Scope): void {
    Object.assign(this, other);
  }

  /** The running function has variables of its own by these names; another that it declares as global can't be told after it. */
  hide(names: readonly string[], isGlobal: boolean): void {
    for (const name of names) {
      const isHidden = this.hidden?.has(name) === true;
      if (isHidden && isGlobal) this.hidden?.set(name, { text: null });
      if (!isHidden && !isGlobal) this.hidden?.set(name, this.variables.get(name));
    }
  }

  /** Variables of a function end with it. */
  uncover(outer: Scope['hidden']): void {
    for (const [name, value] of this.hidden ?? []) {
      if (value === undefined) this.variables.delete(name);
      else this.variables.set(name, value);
    }
    this.hidden = outer && new Map(outer);
  }

  /** However it is set (`for PATH in`, `((PATH = 1))`, `${PATH:=x}`), some variables say what is run, and how. */
  setVariable(name: string, value: Value): void {
    const isHarmless = !tellsPrograms(name) || isHarmlessVariable(name, value.isNumber === true ? '0' : value.text);
    if (!isHarmless) this.doubt ??= `${name} was set before, which may change what is run`;
    const isExported = value.isExported ?? this.variables.get(name)?.isExported;
    this.variables.set(name, isExported === undefined ? value : { ...value, isExported });
  }
}

function mergedValue(one: Value | undefined, other: Value | undefined): Value {
  if (one === undefined || other === undefined) return { text: null, from: one?.from ?? other?.from ?? [] };
  if (one.text === other.text && one.isExported === other.isExported) return one;
  const isNumber = holdsNumber(one) && holdsNumber(other);
  const may = eitherOf(one, other);
  const from = union(one.from ?? [], other.from ?? []);
  return { text: one.text === other.text ? one.text : null, may, from, ...(isNumber && { isNumber }) };
}

export function holdsNumber({ text, isNumber }: Value): boolean {
  return isNumber === true || (text !== null && /^[-+]?\d*$/.test(text));
}

function mergeInto<T>(map: Map<string, T | null>, other: Map<string, T | null>): void {
  for (const name of new Set([...map.keys(), ...other.keys()])) {
    if (map.get(name) !== other.get(name)) map.set(name, null);
  }
}
