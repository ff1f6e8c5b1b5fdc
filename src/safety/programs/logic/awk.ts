/** `awk`: its program is read through for what writes files, runs programs or opens connections. */
import { applyOptions, placeWords } from '../apply.ts';
import { parseOptions } from '../options.ts';
import type { Call } from './call.ts';

export function awk({ report, program, name, words }: Call): void {
  const parsed = parseOptions({ ...program, stops: true }, name, words);
  applyOptions(report, program, name, parsed);
  const given = parsed.options.filter(({ name: option }) => option === '-e' || option === '--source');
  const files = [...parsed.words];
  const programs = parsed.options.filter(({ name: option }) => ['-f', '--file', '-E', '--exec'].includes(option));
  const hasFile = programs.length > 0;
  for (const { value } of programs) if (value !== undefined) report.findings.programs.push(value);
  const texts = given.map((option) => option.value);
  if (texts.length === 0 && !hasFile) texts.push(files.shift());
  for (const text of texts) {
    if (text !== undefined) report.findings.code.push(text);
    const known = text === undefined || text.isPattern === true ? null : text.text;
    if (known === null) report.doubt(`what the program of ${name} does can’t be told`);
    else {
      for (const command of commandsIn(known)) report.script(command, name);
      checkProgram(known, (effect, reason) => report.effect(effect, `the program of ${name} ${reason}`));
    }
  }
  placeWords(report, '...read', name, files);
}

/** Command lines that a program spells out: `system("...")`, and what stands at a pipe. */
function commandsIn(text: string): string[] {
  const tokens = tokenize(text) ?? [];
  return tokens.flatMap((token, at) => {
    const isCalled = tokens[at - 2] === 'system' && tokens[at - 1] === '(' && tokens[at + 1] === ')';
    const isPiped = [tokens[at - 1], tokens[at + 1]].some((beside) => beside === '|' || beside === '|&');
    if (!token.startsWith('"') || !(isCalled || isPiped)) return [];
    return [token.slice(1, -1).replaceAll(/\\(["\\/])/g, '$1')];
  });
}

type Say = (effect: 'execute' | 'write' | 'cannot-tell', reason: string) => void;

/** Words after which a slash begins a pattern; behind other names, numbers, `)`, `]` and `$` it divides. */
const beforePattern = new Set('print printf return in case do else getline'.split(' '));

function checkProgram(text: string, say: Say): void {
  const tokens = tokenize(text);
  if (tokens === undefined) return say('cannot-tell', 'can’t be told apart');
  // `@load`, `@include` and calls through a name that is only known when it runs.
  if (tokens.includes('@') || /\/inet[46]?\//.test(text)) return say('cannot-tell', 'can’t be told apart');
  if (tokens.includes('system')) return say('execute', 'runs commands (system)');
  if (tokens.includes('|') || tokens.includes('|&')) return say('execute', 'runs commands (a pipe)');
  if (tokens.includes('getline')) return say('cannot-tell', 'reads from elsewhere (getline)');
  let depth = 0;
  let printing = false;
  for (const [at, token] of tokens.entries()) {
    if (token === 'print' || token === 'printf') [printing, depth] = [true, 0];
    else if (token === ';' || token === '}' || token === '{') printing = false;
    else if (token === '(' || token === '[') depth++;
    else if (token === ')' || token === ']') depth--;
    else if (printing && depth <= 0 && (token === '>' || token === '>>')) {
      const isOutput =
        /^"\/dev\/std(out|err)"$/.test(tokens[at + 1] ?? '') && [';', '}', '\n', undefined].includes(tokens[at + 2]);
      if (!isOutput) say('write', `writes files (${token})`);
    }
  }
}

/** Names, numbers, strings (with their quotes), patterns (as `/`), operators, line ends; undefined where it isn't clear. */
function tokenize(text: string): string[] | undefined {
  const tokens: string[] = [];
  const next =
    /[ \t\r]+|\\\r?\n|#[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"|[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|\+\+|--|\|\||\|&|&&|>>|[<>=!]=|[^"]/y;
  for (let at = 0; at < text.length; at = next.lastIndex) {
    next.lastIndex = at;
    const token = next.exec(text)?.[0];
    if (token === undefined) return undefined;
    if (/^([ \t\r#]|\\\r?\n)/.test(token)) continue;
    if (token !== '/') {
      tokens.push(token);
      continue;
    }
    const before = tokens.at(-1) ?? '\n';
    if (before === '++' || before === '--' || before.startsWith('"')) return undefined;
    const divides = /^[\w.]/.test(before) ? !beforePattern.has(before) : [')', ']', '$'].includes(before);
    tokens.push('/');
    if (divides && /^\/[^\n/]*["#][^\n]*\//.test(text.slice(at))) return undefined;
    if (divides) continue;
    const pattern = /\/(?:\\[^\n]|\[\^?\]?(?:\[:\w+:\]|\\[^\n]|[^\]\n\\])*\]|[^/\\[\n])+\//y;
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    // A slash in square brackets ends the pattern for some awks and not for others.
    if (found === undefined || /\[[^\]]*\/[^\]]*\]/.test(found.slice(1, -1).replaceAll('\\/', ''))) return undefined;
    next.lastIndex = at + found.length;
    tokens.push(')');
  }
  return tokens;
}
