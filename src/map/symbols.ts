/** What is known of a file’s symbols. */

/** What a definition is, in the words of its language as far as they agree. */
export const kinds = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'constant',
  'module',
  'macro',
  'block',
] as const;
/** `block` groups what it holds and is no name of its own: an `impl` of Rust. */
export type Kind = (typeof kinds)[number];

export interface Definition {
  name: string;
  kind: Kind;
  /** Of its name, from 1. */
  line: number;
  /** How many definitions it stands in. */
  depth: number;
  /** As it is written up to its body, on one line. */
  signature: string;
}

/** As one text, a line each, which is cheap to hand over and to keep. Neither names nor signatures have tabs or line feeds in them. */
export function writeDefinitions(definitions: readonly Definition[]): string {
  return definitions
    .map(({ name, kind, line, depth, signature }) => [kinds.indexOf(kind), line, depth, name, signature].join('\t'))
    .join('\n');
}

export function readDefinitions(text: string): Definition[] {
  if (text === '') return [];
  return text.split('\n').map((written) => {
    const [kind, line, depth, name = '', signature = ''] = written.split('\t');
    return { name, kind: kinds[Number(kind)] ?? 'function', line: Number(line), depth: Number(depth), signature };
  });
}
