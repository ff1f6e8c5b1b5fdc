/** Unicode properties: names that ripgrep takes loosely and JavaScript only to the letter. */
import { PatternError, type ClassSet } from './syntax.ts';

type Property = Extract<ClassSet, { kind: 'property' }>;

const special: { readonly [name: string]: string } = {
  any: 'Any',
  ascii: 'ASCII',
  assigned: 'Assigned',
  lc: 'LC',
  whitespace: 'White_Space',
};
const keys: { readonly [name: string]: string } = {
  gc: 'General_Category=',
  generalcategory: 'General_Category=',
  sc: 'Script=',
  script: 'Script=',
  scx: 'Script_Extensions=',
  scriptextensions: 'Script_Extensions=',
};

/** Throws where there is no such property. (Ripgrep takes `!=` for `=`.) */
export function propertySource({ name, negated, at, length }: Property): string {
  const [, key, value] = /^([^=:!]*)(?:!=|=|:)(.*)$/su.exec(name) ?? [];
  const found =
    key === undefined || value === undefined
      ? ['', 'Script='].map((prefix) => prefix + spelled(name)).find(isProperty)
      : [(keys[plain(key)] ?? '?=') + spelled(value)].find(isProperty);
  if (found === undefined) throw new PatternError('Unicode property not found', at, length);
  return `\\${negated ? 'P' : 'p'}{${found}}`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** As the standard spells it: every word with a capital. */
function spelled(name: string): string {
  const known = special[plain(name)];
  if (known !== undefined) return known;
  const words = name.toLowerCase().split(/[\s_-]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('_');
}

function isProperty(name: string): boolean {
  if (!/^[A-Za-z_=0-9]+$/.test(name)) return false;
  try {
    return new RegExp(`\\p{${name}}`, 'v').source !== '';
  } catch {
    return false; // the engine knows no such property, which is the question
  }
}
