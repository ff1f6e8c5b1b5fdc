/** What another grammar of the shell, written by others, takes for the commands of a line. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Parser } from 'web-tree-sitter';
import { isComparedName } from './walk.ts';

const require = createRequire(import.meta.url);

export interface SecondOpinion {
  /** The names of all commands in a line, as they are written; undefined where it can't read the line. */
  names(source: string): Set<string> | undefined;
}

/** Rejects where its files are not there. */
export async function loadSecondOpinion(): Promise<SecondOpinion> {
  const { Parser, Language, Query } = await import('web-tree-sitter');
  await Parser.init({ wasmBinary: await readFile(require.resolve('web-tree-sitter/web-tree-sitter.wasm')) });
  const bytes = await readFile(require.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm'));
  const bash = await Language.load(bytes);
  const parser: Parser = new Parser();
  parser.setLanguage(bash);
  const query = new Query(bash, '(command_name) @name');
  return {
    names(source) {
      const tree = parser.parse(source);
      if (tree === null) return undefined;
      try {
        if (tree.rootNode.hasError) return undefined;
        const names = query.captures(tree.rootNode).map(({ node }) => node.text);
        return new Set(names.filter(isComparedName));
      } finally {
        tree.delete();
      }
    },
  };
}
