/** Findings of a command that looks at one file. */
import type { Finding } from './finding.ts';

export interface Linter {
  /** A glob of the files that it is for. */
  files: string;
  /** A line for the shell; `{file}` stands for the file. */
  command: string;
}

/** What came of running it. */
export interface LinterRun {
  exit: number | null;
  timedOut: boolean;
  cancelled: boolean;
  notStarted?: string;
  head: string;
  tail: string;
}

export function commandFor({ command }: Linter, name: string): string {
  return command.replaceAll('{file}', () => `'${name.replaceAll("'", String.raw`'\''`)}'`);
}

/** `path:line:column: words`, as nearly all of them can print; a run that failed without one is a finding as a whole. */
export function linterFindings(linter: Linter, name: string, run: LinterRun): Finding[] | undefined {
  if (run.notStarted !== undefined || run.timedOut || run.cancelled || run.exit === 127) return undefined;
  const source = linter.command.trim().split(/\s+/)[0] ?? 'linter';
  const output = `${run.head}\n${run.tail}`;
  const findings = output.split('\n').flatMap((line) => findingIn(line, name, source));
  const said = output.trim();
  if (findings.length > 0 || run.exit === 0 || said === '') return findings;
  return [{ line: 1, what: said.slice(0, 1_000), source }];
}

function findingIn(text: string, name: string, source: string): Finding[] {
  const [, path = '', line = '', column, what = ''] = /^(.+?):(\d+)(?::(\d+))?:?\s+(.*)$/.exec(text.trim()) ?? [];
  const isMeant = path === name || path.endsWith(`/${name}`) || name.endsWith(`/${path}`);
  if (line === '' || !isMeant) return [];
  return [{ line: Number(line), ...(column !== undefined && { column: Number(column) }), what, source }];
}
