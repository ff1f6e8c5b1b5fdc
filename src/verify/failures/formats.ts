/** How the usual runners say what failed and where: data. Lines are tried in the order of the formats; the first that opens has it. */

export interface Format {
  name: string;
  /** A line that begins a failure; its groups: file, line, column, title, text. */
  opens: RegExp;
  /** A heading that names the file of what follows it. */
  heading?: RegExp;
  /** In the lines after it: where it is, what it is called, what is said of it. */
  place?: RegExp;
  title?: RegExp;
  text?: RegExp;
  /** The deepest place comes last. */
  lastPlace?: true;
  /** What opens is a failure only where something is said of it. */
  needsText?: true;
}

const at = String.raw`(?<line>\d+):(?<column>\d+)`;

export const formats: readonly Format[] = [
  { name: 'tsc', opens: /^(?<file>[^\s(:][^(:]*)\((?<line>\d+),(?<column>\d+)\): (?<text>error TS\d+: .+)$/ },
  { name: 'tsc', opens: new RegExp(String.raw`^(?<file>[^\s:]+):${at} - (?<text>error TS\d+: .+)$`) },
  {
    name: 'eslint',
    heading: /^(?<file>[\w@./-]*[\w@-]\.\w+)$/,
    opens: new RegExp(String.raw`^\s+${at}\s+(?:error|✖)\s+(?<text>.+)$`),
  },
  {
    name: 'oxlint',
    opens: /^\s*[×x] (?<text>[\w@/-]+\(.+)$/,
    place: new RegExp(String.raw`[╭,][─-]\[(?<file>[^\]:]+):${at}\]`),
  },
  {
    name: 'cargo test',
    opens: new RegExp(String.raw`^thread '(?<title>[^']+)'(?: \(\d+\))? panicked at (?<file>[^:']+):${at}:?$`),
    text: /^(?<text>\S.*)$/,
  },
  {
    name: 'rustc',
    opens: /^(?<text>error(?:\[E\d+\])?: .+)$/,
    place: new RegExp(String.raw`^\s*--> (?<file>[^:]+):${at}`),
  },
  {
    name: 'pytest',
    opens: /^_{3,} (?<title>.+?) _{3,}$/,
    place: /^(?<file>[^\s:]+\.py):(?<line>\d+): \w/,
    text: /^E\s+(?<text>.+)$/,
  },
  { name: 'pytest', opens: /^(?:FAILED|ERROR) (?<file>[^\s:]+\.py)(?:::(?<title>\S+))?(?: - (?<text>.+))?$/ },
  {
    name: 'python',
    opens: /^Traceback \(most recent call last\):$/,
    place: /^\s*File "(?<file>[^"]+)", line (?<line>\d+)/,
    text: /^(?<text>[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt)\b.*)$/,
    lastPlace: true,
  },
  { name: 'go test', opens: /^\s+(?<file>[\w./-]+\.go):(?<line>\d+): (?<text>.+)$/ },
  { name: 'go build', opens: new RegExp(String.raw`^(?:vet: )?(?<file>[\w./-]+\.go):${at}: (?<text>.+)$`) },
  { name: 'go panic', opens: /^(?<text>panic: .+)$/, place: /^\s+(?<file>\S+\.go):(?<line>\d+) \+0x/ },
  {
    name: 'node:test',
    opens: new RegExp(String.raw`^test at (?<file>.+?):${at}$`),
    title: /^\s*✖ (?<title>.+?)(?: \([\d.]+m?s\))?$/,
    text: /^\s+(?<text>\w*Error\b.*)$/,
  },
  {
    name: 'tap',
    opens: /^\s*not ok \d+ - (?<title>.+?)(?: #.*)?$/,
    place: new RegExp(String.raw`^\s*location: ['"](?<file>.+?):${at}['"]$`),
    text: /^\s*(?:error|message): (?!\|)['"]?(?<text>.+?)['"]?$/,
  },
  {
    name: 'vitest',
    opens: /^\s*FAIL\s+(?<title>\S+ > .+)$/,
    place: new RegExp(String.raw`^\s*❯ (?:.* )?(?<file>[^\s():]+):${at}$`),
    text: /^(?<text>\w*Error: .+)$/,
  },
  {
    name: 'jest',
    opens: /^\s*● (?<title>.+)$/,
    place: new RegExp(String.raw`^\s+at (?!.*node_modules)(?:.* )?\(?(?<file>[^\s():]+\.\w+):${at}\)?$`),
    text: /^\s+(?<text>\S.*)$/,
  },
  {
    name: 'mocha',
    opens: /^\s{2}\d+\) (?<title>.+)$/,
    place: new RegExp(String.raw`^\s+at (?!.*node_modules)(?:.* )?\(?(?<file>[^\s():]+\.\w+):${at}\)?$`),
    text: /^\s+(?<text>\w*Error\b.*)$/,
    needsText: true,
  },
  {
    name: 'junit',
    opens: /<testcase\b[^>]*?\bname="(?<title>[^"]*)"/,
    place: /<testcase\b[^>]*?\bfile="(?<file>[^"]+)"(?:[^>]*?\bline="(?<line>\d+)")?/,
    text: /<(?:failure|error)\b[^>]*?\bmessage="(?<text>[^"]*)"/,
    needsText: true,
  },
  {
    name: 'compiler',
    opens:
      /^(?<file>[^\s:][^:]*):(?<line>\d+):(?:(?<column>\d+):)? (?<text>(?:(?:fatal )?error\b|Error\b|[A-Z]{1,4}\d{2,4} ).*)$/,
  },
];
