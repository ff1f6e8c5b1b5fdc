/** What the map has to know of a language: data, by the node types of its grammar. */
import type { Kind } from '../symbols.ts';

export interface Defining {
  kind: Kind;
  /** Fields on the way to its name: the first of them that a node has is followed, until none is there. `name` when left out. */
  name?: readonly string[];
  /** The field that holds a value, before which the signature ends; within it, where the value is a function. */
  value?: string;
  /** It counts only where its value, its body or what lies on the way to its name is one of these node types. */
  only?: readonly string[];
  /** It counts only where it stands in no other definition. */
  isTop?: true;
  /** What it holds is looked at too. */
  holds?: true;
}

/** How comments and strings are told from names. */
export type Lexis = 'ecmascript' | 'slashes' | 'hashes' | 'both' | 'rust';

export interface Language {
  /** File of the grammar: `tree-sitter-<grammar>.wasm`. */
  grammar: string;
  /** Names are looked for among languages of one family. */
  family: string;
  defining: { readonly [nodeType: string]: Defining };
  /** Nodes whose children are looked at. */
  through: readonly string[];
  lexis: Lexis;
  /** Signatures of what no other file can name. */
  hidden?: RegExp;
  /** Signatures of what other files can name, in a file that has any such: of all others there only it can. */
  shown?: RegExp;
}
