/** Which grammar a file is read with, by its name. */
import { basename, extname } from 'node:path';

const grammars: { readonly [extension: string]: string } = {
  '.bash': 'bash',
  '.c': 'cpp',
  '.cc': 'cpp',
  '.cjs': 'javascript',
  '.cpp': 'cpp',
  '.cs': 'c-sharp',
  '.css': 'css',
  '.cts': 'typescript',
  '.cxx': 'cpp',
  '.go': 'go',
  '.h': 'cpp',
  '.hpp': 'cpp',
  '.java': 'java',
  '.js': 'javascript',
  '.jsx': 'javascript',
  '.mjs': 'javascript',
  '.mts': 'typescript',
  '.php': 'php',
  '.py': 'python',
  '.pyi': 'python',
  '.rb': 'ruby',
  '.rs': 'rust',
  '.sh': 'bash',
  '.ts': 'typescript',
  '.tsx': 'tsx',
};

const json = new Set(['.json', '.jsonc']);

/** The name of a grammar of tree-sitter, or `json`; undefined for a file whose syntax isn't checked. */
export function grammarOf(path: string): string | undefined {
  const extension = extname(basename(path)).toLowerCase();
  if (json.has(extension)) return 'json';
  return Object.hasOwn(grammars, extension) ? grammars[extension] : undefined;
}
