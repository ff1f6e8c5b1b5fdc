/** What ripgrep says on its standard error. */
import { constants } from 'node:os';
import { compilePattern, explainProblem } from '../pattern/index.ts';
import { bytePath } from '../paths-as-bytes.ts';
import type { Query, Trouble } from '../engine.ts';

const codes = new Map(Object.entries(constants.errno).map(([code, number]) => [number, code]));
/** A file that has gone since it was listed is no trouble. */
const gone = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** The places that it couldn't look at. */
export function troublesIn(messages: string): Trouble[] {
  return [...messages.matchAll(/^rg: (?:\.\/)?(.*): [^:]* \(os error (\d+)\)$/gm)].flatMap(([, path, number]) => {
    const why = codes.get(Number(number)) ?? 'error';
    return gone.has(why) ? [] : [{ path: bytePath(path === './' ? '' : (path ?? '')), why }];
  });
}

/** Lines about files: one that can't be read, or an ignore file with a rule that is none. */
const aboutFiles = /\(os error \d+\)$|: line \d+: error parsing glob /;

/** Why it didn't look at all: what is wrong with the pattern. Undefined where all that it says is about files. */
export function refusalIn(messages: string, query: Query): string | undefined {
  const said = messages.split('\n').filter((line) => line !== '' && !aboutFiles.test(line));
  if (said.length === 0) return undefined;
  const problem = compilePattern(query.pattern, query);
  if ('reason' in problem && problem.kind !== 'unsupported') return explainProblem(query.pattern, problem);
  const reason = said.find((line) => line.startsWith('error: ')) ?? said[0] ?? '';
  return `the pattern can’t be searched for: ${reason.replace(/^(?:rg|error): /, '')}`;
}
