/** The parsers of tree-sitter, each loaded when a file of its language is first looked at. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Language, Parser } from 'web-tree-sitter';

interface Library {
  Parser: typeof Parser;
  Language: typeof Language;
}

const require = createRequire(import.meta.url);
const languages = new Map<string, Promise<Language>>();
let library: Promise<Library> | undefined;

/** A parser for the grammar. Rejects where its files are not there. */
export async function parserFor(grammar: string): Promise<Parser> {
  library ??= load();
  const { Parser, Language } = await library;
  const known = languages.get(grammar) ?? loadLanguage(grammar, Language);
  languages.set(grammar, known);
  const parser = new Parser();
  parser.setLanguage(await known);
  return parser;
}

async function load(): Promise<Library> {
  const loaded = await import('web-tree-sitter');
  const wasmBinary = await readFile(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
  await loaded.Parser.init({ wasmBinary });
  return loaded;
}

async function loadLanguage(grammar: string, library: typeof Language): Promise<Language> {
  return library.load(await readFile(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`)));
}
