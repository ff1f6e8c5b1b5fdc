/** Commands in containers and clusters: what they do there is another matter than what they do here. */
import { applyOptions } from '../apply.ts';
import { parseOptions } from '../options.ts';
import type { Call } from './call.ts';

/** The command stands behind the container; its paths are the container's. */
export function inContainer({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const [target, ...command] = parsed.words;
  if (target?.text === null) report.doubt(`which container ${target.source} is can’t be told`);
  report.run(command, name, null);
}

export function kubeExec({ report, program, name, words }: Call): void {
  const end = words.findIndex(({ text }) => text === '--');
  const parsed = parseOptions(program, name, end === -1 ? words : words.slice(0, end));
  applyOptions(report, program, name, parsed);
  report.run(end === -1 ? parsed.words.slice(1) : words.slice(end + 1), name, null);
}
