/** What is decided about a command, for people. */
import type { PolicyAnswer } from '../../../harness/index.ts';
import { oneLine } from '../printable.ts';
import type { Style } from './style.ts';

export function policyLines(answer: PolicyAnswer, mode: string, style: Style): string {
  const { verdict, rule, reason, part, parts, unclear } = answer;
  const paint = { allow: style.good, ask: style.bold, deny: style.bad }[verdict];
  const cause = part === undefined || parts.length < 2 ? [] : [`  part     ${oneLine(part)}`];
  const lines = [
    `${paint(verdict)} (${answer.class}) in mode ${mode}`,
    `  by       ${oneLine(rule)}`,
    ...cause,
    `  because  ${oneLine(reason)}`,
    ...(unclear === undefined ? [] : [`  unclear  ${oneLine(unclear)}`]),
    ...parts.flatMap(partLines),
  ];
  return `${lines.join('\n')}\n`;
}

function partLines({ text, effects, paths, hosts, inside, reason }: PolicyAnswer['parts'][number]): string[] {
  const where = inside.length === 0 ? '' : ` (in ${inside.map(oneLine).join(', ')})`;
  return [
    `  - ${oneLine(text)}${where}: ${effects.join(', ')}`,
    ...paths.map(
      ({ access, path, recursive }) => `      ${access} ${oneLine(path)}${recursive === true ? ' and all below' : ''}`,
    ),
    ...hosts.map((host) => `      talks to ${oneLine(host)}`),
    ...(reason === undefined ? [] : [`      ${oneLine(reason)}`]),
  ];
}

export function testLine(result: { where: string; command: string; got?: string }, style: Style): string {
  return `${style.bad('✗')} ${oneLine(result.where)}: ${oneLine(result.command)}\n    ${oneLine(result.got ?? '')}\n`;
}
