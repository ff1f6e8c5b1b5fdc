/**
 * The thread in which lines are parsed: one that takes too long is ended with it. This module is the thread's beginning too, which
 * its address tells, wherever it has been bundled to.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { convert } from './convert.ts';
import { loadMvdan } from './mvdan.ts';
import { loadSecondOpinion, type SecondOpinion } from './second-opinion.ts';
import type { Statement, Unclear } from './tree.ts';
import { namesIn } from './walk.ts';

export const address = import.meta.url;
/** Tells the thread that it is one of these. */
export const threadName = 'reins-grammar';

export interface ParseJob {
  id: number;
  source: string;
}

export type ThreadMessage = { ready: true } | { failed: string } | { id: number; result: Statement[] | Unclear };

/** A little of everything: code that has been compiled for it needn't be with the first line. */
const samples = [
  'f() { local x=$1 y=(a "$@"); export z; return $((x + $(ls | wc -l))); }',
  'for i in a $b {c,d}; do echo "$(ls)" ${i:-x} ${i%.*} ${#i} $\'\\x41\' `ls` | cat > /dev/null 2>&1; done || true',
  'for ((i = 0; i < 3; i++)); do while [ -f a ]; do break; done; done && (cd a; ls -la) &',
  'if [[ -n $a && $b == c* ]]; then time ls; elif ! ls; then { ls; }; else diff <(ls) <(ls); fi',
  'case $a in b | c) ls ;; *) ls ;; esac; cat <<< x',
  "cat <<'EOF'\ntext\nEOF\ncat <<EOF\n$a $(ls)\nEOF\n",
].join('\n');

if (!isMainThread && workerData === threadName) {
  const port = parentPort;
  const tell = (message: ThreadMessage): void => port?.postMessage(message, []);
  try {
    const read = loadMvdan();
    const second = await loadSecondOpinion();
    parse(samples, read, second);
    port?.on('message', ({ id, source }: ParseJob) => tell({ id, result: parse(source, read, second) }));
    tell({ ready: true });
  } catch (error) {
    tell({ failed: error instanceof Error ? error.message : String(error) });
  }
}

function parse(source: string, read: ReturnType<typeof loadMvdan>, second: SecondOpinion): Statement[] | Unclear {
  let statements: Statement[];
  try {
    statements = convert(read(source), source);
  } catch (error) {
    return { unclear: `it can’t be read as a shell command: ${messageOf(error)}` };
  }
  const names = second.names(source);
  if (names === undefined) return { unclear: 'a second grammar of the shell can’t read it' };
  const own = namesIn(statements);
  if (own.size !== names.size || ![...own].every((name) => names.has(name)))
    return { unclear: 'two grammars of the shell see different commands in it' };
  return statements;
}

function messageOf(error: unknown): string {
  const text =
    typeof error === 'object' && error !== null && 'Error' in error && typeof error.Error === 'function'
      ? String(error.Error())
      : undefined;
  return (text ?? (error instanceof Error ? error.message : 'unknown')).slice(0, 200);
}
