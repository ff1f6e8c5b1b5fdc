/** The rules of one ignore file, as ripgrep reads them: paths are strings of bytes, relative to the file's folder. */
import { isUtf8 } from 'node:buffer';
import type { BytePath } from '../engine.ts';
import { compileGlob, parseGlob, type GlobToken } from '../globs/index.ts';
import { bytePath } from '../paths-as-bytes.ts';

export type Verdict = 'ignore' | 'keep';

interface Rule {
  verdict: Verdict;
  foldersOnly: boolean;
  /** It looks at the name alone. */
  byName: boolean;
  source: string;
  expression: RegExp;
}

export interface Rules {
  /** What the last rule that fits says; undefined where none does. */
  judge(path: BytePath, isFolder: boolean): Verdict | undefined;
}

/** The rules in the bytes of an ignore file; undefined where there are none. */
export function parseRules(bytes: Buffer): Rules | undefined {
  const rules = linesOf(bytes).flatMap((line) => {
    const rule = parseRule(line);
    return rule === undefined ? [] : [rule];
  });
  if (rules.length === 0) return undefined;
  // Most paths fit no rule: that is found out with two questions, however many rules there are.
  const [named, others] = [true, false].map((byName) => anyOf(rules.filter((rule) => rule.byName === byName)));
  return {
    judge(path, isFolder) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (named?.test(name) !== true && others?.test(path) !== true) return undefined;
      const fits = (rule: Rule): boolean =>
        (isFolder || !rule.foldersOnly) && rule.expression.test(rule.byName ? name : path);
      return rules.findLast(fits)?.verdict;
    },
  };
}

function anyOf(rules: Rule[]): RegExp | undefined {
  if (rules.length === 0) return undefined;
  return new RegExp(`^(?:${rules.map(({ source }) => source).join('|')})$`, 'su');
}

/** Lines as text. The first one that isn't UTF-8 ends the file, as it does for ripgrep. */
function linesOf(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(10, at);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(at, end);
    if (!isUtf8(line)) break;
    lines.push(line.toString('utf8').replace(found < 0 ? /$^/ : /\r$/, ''));
    at = end + 1;
  }
  if (lines[0] !== undefined) lines[0] = lines[0].replace(/^\ufeff+/, '');
  return lines;
}

function parseRule(line: string): Rule | undefined {
  if (line.startsWith('#')) return undefined;
  let body = line.endsWith('\\ ') ? line : line.replace(/\p{White_Space}+$/u, '');
  if (body === '') return undefined;
  const isEscaped = /^\\[!#]/.test(body);
  if (isEscaped) body = body.slice(1);
  const isKept = !isEscaped && body.startsWith('!');
  if (isKept) body = body.slice(1);
  const isAnchored = !isEscaped && body.startsWith('/');
  if (isAnchored) body = body.slice(1);
  const foldersOnly = body.endsWith('/');
  if (foldersOnly) body = body.replace(/\\?\/$/, '');
  const isDeep = body.startsWith('**/') || body === '**';
  const glob = !isAnchored && !body.includes('/') && !isDeep ? `**/${body}` : body;
  const tokens = parseGlob(bytePath(glob.endsWith('/**') ? `${glob}/*` : glob), 'ignore');
  if ('problem' in tokens) return undefined;
  return { verdict: isKept ? 'keep' : 'ignore', foldersOnly, ...compiled(tokens) };
}

function compiled(tokens: GlobToken[]): Pick<Rule, 'byName' | 'source' | 'expression'> {
  const [first, ...rest] = tokens;
  const byName = first?.kind === 'leading' && rest.length > 0 && rest.every(staysInName);
  const source = compileGlob(byName ? rest : tokens, true);
  return { byName, source, expression: new RegExp(`^(?:${source})$`, 'su') };
}

/** Whether a part of a glob can't stand for a slash. */
function staysInName(token: GlobToken): boolean {
  return token.kind === 'one' || token.kind === 'some' || (token.kind === 'text' && token.text !== '/');
}
