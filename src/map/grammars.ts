/** The grammars of tree-sitter, each loaded with the first file of its language. A thread can be handed none: it loads its own. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Parser } from 'web-tree-sitter';

const require = createRequire(import.meta.url);

/** Gives the parser of a grammar; rejects where its files are not there. */
export async function loadGrammars(): Promise<(grammar: string) => Promise<Parser>> {
  const { Parser, Language } = await import('web-tree-sitter');
  await Parser.init({ wasmBinary: await readFile(require.resolve('web-tree-sitter/web-tree-sitter.wasm')) });
  const parsers = new Map<string, Promise<Parser>>();
  const load = async (grammar: string): Promise<Parser> => {
    const bytes = await readFile(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`));
    const parser = new Parser();
    parser.setLanguage(await Language.load(bytes));
    return parser;
  };
  return (grammar) => {
    const parser = parsers.get(grammar) ?? load(grammar);
    parsers.set(grammar, parser);
    return parser;
  };
}
