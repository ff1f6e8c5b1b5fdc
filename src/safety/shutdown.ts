/** What ends the machine, or every program on it. */
import { programName, type JudgedPart } from './part.ts';

const programs = new Set('reboot shutdown halt poweroff kexec killall5'.split(' '));
const verbs = new Set('reboot poweroff halt kexec soft-reboot suspend hibernate emergency rescue exit'.split(' '));

/** What would be ended, in words, or nothing. */
export function shutdownIn({ words, effects }: JudgedPart): string | undefined {
  const [first, ...rest] = words;
  if (typeof first !== 'string' || effects.every((effect) => effect === 'read')) return undefined;
  const name = programName(first);
  const given = rest.filter((word) => word !== null);
  if (programs.has(name) && !given.includes('-c')) return 'the end of the machine';
  if (/^(?:tel)?init$/.test(name) && /^[016sS]$/.test(given[0] ?? '')) return 'the end of the machine';
  if (name === 'systemctl' && given.some((word) => verbs.has(word))) return 'the end of the machine';
  return name === 'kill' && targets(given).some((target) => target === '-1' || target === '1')
    ? 'the end of every program'
    : undefined;
}

/** What stands behind the signal. */
function targets(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  if (first === '--') return rest;
  if (/^(?:-s|-n|--signal|-q|--queue)$/.test(first)) return rest.slice(rest[1] === '--' ? 2 : 1);
  if (first.startsWith('-') && rest.length > 0) return rest[0] === '--' ? rest.slice(1) : rest;
  return words;
}
