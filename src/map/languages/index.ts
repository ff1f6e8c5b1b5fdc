/** The door of the languages: which one a file is in, by its name. */
import { ecmascript } from './ecmascript.ts';
import type { Language } from './language.ts';
import { managed } from './managed.ts';
import { scripting } from './scripting.ts';
import { systems } from './systems.ts';

export type { Defining, Language, Lexis } from './language.ts';

export const languages = { ...ecmascript, ...systems, ...managed, ...scripting } as const satisfies {
  readonly [name: string]: Language;
};
export type LanguageName = keyof typeof languages;

const extensions: { readonly [extension: string]: LanguageName } = {
  bash: 'bash',
  c: 'cpp',
  cc: 'cpp',
  cjs: 'javascript',
  cpp: 'cpp',
  cs: 'csharp',
  cts: 'typescript',
  cxx: 'cpp',
  go: 'go',
  h: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  java: 'java',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  mts: 'typescript',
  php: 'php',
  py: 'python',
  pyi: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  ts: 'typescript',
  tsx: 'tsx',
};

/** The files that a map is made of, as a glob. */
export const sourceGlob = `*.{${Object.keys(extensions).join(',')}}`;

export function languageOf(path: string): LanguageName | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
}
