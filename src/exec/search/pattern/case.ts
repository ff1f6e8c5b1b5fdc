/** Letter case spelled out, for patterns of which only a part ignores it. */
import { characterSource } from './class-source.ts';
import { PatternError, type ClassSet } from './syntax.ts';

/** Characters that are another's upper or lower case without that other leading back to them. */
const oneWay = Array.from('ſKÅẞςϐϑϕϖϰϱϵϴẛιΩǅǈǋǲᲀᲁᲂᲃᲄᲅᲆᲇᲈ');
/** Characters of the largest range that is spelled out. */
const largest = 2_000;
const unsupported = 'only ripgrep ignores the case of such a class in a part of a pattern, and it isn’t here';

/** All characters that are the same but for their case. */
function variantsOf(code: number): number[] {
  const character = String.fromCodePoint(code);
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  const candidates = [character, lower, upper, upper.toLowerCase(), lower.toUpperCase(), ...oneWay];
  const isSame = new RegExp(`^${characterSource(code)}$`, 'iv');
  const codes = candidates.filter((candidate) => isSame.test(candidate)).map((same) => same.codePointAt(0) ?? code);
  return [...new Set(codes)];
}

/** A set with the other cases of what is in it. Throws where that can't be spelled out. */
export function withCases(set: ClassSet): ClassSet {
  switch (set.kind) {
    case 'range':
      return { kind: 'union', negated: false, items: [set, ...othersOf(set)] };
    case 'perl':
      return set; // digits and blanks have no case, and words hold every letter
    case 'union':
      return { ...set, items: set.items.map(withCases) };
    case 'both':
    case 'without':
    case 'either':
      return { ...set, left: withCases(set.left), right: withCases(set.right) };
    default:
      throw new PatternError(unsupported, -1, 0, 'unsupported');
  }
}

function othersOf({ from, to }: Extract<ClassSet, { kind: 'range' }>): ClassSet[] {
  if (to - from > largest) throw new PatternError(unsupported, -1, 0, 'unsupported');
  const others = new Set<number>();
  for (let code = from; code <= to; code++) for (const variant of variantsOf(code)) others.add(variant);
  return [...others].map((code) => ({ kind: 'range', from: code, to: code }));
}
