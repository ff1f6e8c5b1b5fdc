/** How a file that defines a check was weakened, as far as its text tells. Data, and one comparison. */
import type { Weakening } from '../../core/index.ts';

/** What there must not be more of than before. */
const more: readonly [Weakening, RegExp][] = [
  [
    'skipped',
    /\b(?:it|test|describe|context|suite|bench)\.(?:skip|todo|failing|fixme)\b|\bx(?:it|describe|test|context)\b|\b(?:skip|todo)\s*:\s*(?:true|['"`])|\.skip(?:If|Test|Now|f)?\(|\bSkip(?:f|Now)?\(|@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip|expectedFailure)\w*|Disabled|Ignore)\b|#\[ignore\b|\[Ignore\b|\bpytest\.(?:skip|xfail)\(|collect_ignore/g,
  ],
  ['narrowed', /\b(?:it|test|describe|context|suite)\.only\b|\bf(?:it|describe)\(|\bonly\s*:\s*true/g],
  [
    'forced-exit',
    /\|\|\s*(?:true|:|exit 0)\b|;\s*true\b|\bexit\s+0\b|\b(?:process|sys|os)\.(?:_?exit|reallyExit)\(\s*0?\s*\)|\bset \+e\b|continue-on-error:\s*true|--passWithNoTests|--exit-zero|eslint-disable|@ts-(?:ignore|nocheck|expect-error)|#\s*type:\s*ignore|#\s*noqa/g,
  ],
];

/** What there must not be less of. */
const less: readonly [Weakening, RegExp][] = [
  [
    'fewer-tests',
    /\b(?:it|test|specify)(?:\.\w+)?\s*\(|^\s*(?:async )?def test_|^func (?:Test|Fuzz)\w*\(|#\[(?:\w+::)*test\b|@(?:Parameterized)?Test\b|\[(?:Fact|Theory|Test)\b/gm,
  ],
  ['fewer-assertions', /\bassert\w*\b|\bexpect\s*\(|\bshould\b|\bt\.(?:Error|Fatal)f?\(|\brequire\.\w+\(|\bverify\(/g],
];

/** Lines with a figure that says how strict a check is. */
const strictness =
  /^.*\b(?:threshold|coverage|statements|branches|functions|lines|fail[_-]under|max[_-]?warnings|time-?out|retries|bail|strict\w*|no[A-Z]\w+|testMatch|testRegex|testPathIgnorePatterns|testpaths|include|exclude|ignore\w*|files|addopts)\b.*$/gim;

/** `after` is null where the file is gone. */
export function weakeningOf(
  before: string,
  after: string | null,
  kind: 'test' | 'configuration',
): Weakening | undefined {
  if (after === null) return 'deleted';
  const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  for (const [how, pattern] of more) if (count(after, pattern) > count(before, pattern)) return how;
  if (kind === 'test') {
    for (const [how, pattern] of less) if (count(after, pattern) < count(before, pattern)) return how;
    return undefined;
  }
  const figures = (text: string): string => (text.match(strictness) ?? []).map((line) => line.trim()).join('\n');
  return figures(before) === figures(after) ? undefined : 'loosened';
}
