/** How a definition is mentioned by other files. */
import { languageOf, languages, type Language } from './languages/index.ts';
import type { Definition } from './symbols.ts';

/** For each definition of a file what others mention it by; undefined where no other file can. */
export function mentionsOf(path: string, definitions: readonly Definition[]): (string | undefined)[] {
  const name = languageOf(path);
  const language: Language | undefined = name === undefined ? undefined : languages[name];
  const isHiddenBy = hiding(definitions, language);
  let isHidden = false;
  return definitions.map((definition) => {
    // What a hidden one holds is as hidden.
    if (definition.depth === 0) isHidden = isHiddenBy(definition.signature);
    const isOwn = isHidden || (definition.depth > 0 && privateMember.test(definition.signature));
    return isOwn || definition.kind === 'block' ? undefined : mentionOf(definition, language);
  });
}

function hiding(definitions: readonly Definition[], language: Language | undefined): (signature: string) => boolean {
  const { hidden, shown } = language ?? {};
  // What names its exports in a list of their own has no such definitions.
  const isModule = shown !== undefined && definitions.some(({ signature }) => shown.test(signature));
  return (signature) => hidden?.test(signature) === true || (isModule && !shown.test(signature));
}

const privateMember = /\bprivate\b/;

/** A member has its dot before it where a language tells members apart. */
function mentionOf({ name, depth }: Definition, language: Language | undefined): string {
  return depth > 0 && language?.lexis === 'ecmascript' ? `.${name}` : name;
}

/** Without the dot. */
export function nameIn(mention: string): string {
  return mention.startsWith('.') ? mention.slice(1) : mention;
}

/** Files mention names of others of their family. */
export function familyOf(path: string): string {
  const name = languageOf(path);
  return name === undefined ? '' : languages[name].family;
}
