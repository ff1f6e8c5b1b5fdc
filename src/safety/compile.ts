/** Rules as they are judged by: settings, short shapes and shipped rules are compiled to one form. */
import { ReinsError } from '../core/index.ts';
import { parsePattern, patternOf, type CommandPattern } from './command-pattern.ts';
import type { CallRule } from './rule.ts';
import { parseShape, shapeOf } from './shape.ts';

export type RuleEffect = CallRule['effect'];

export interface CompiledRule {
  effect: RuleEffect;
  /** As a verdict names it: `rule:shell(rm)`, `pack:no-sudo`. */
  by: string;
  /** Who wrote it, at the beginning of a sentence. */
  from: string;
  /** The rule as it is shown. */
  text: string;
  tool?: string;
  command?: CommandPattern;
  paths?: string;
  access?: 'read' | 'write';
  hosts?: readonly string[];
  risk?: CallRule['risk'];
  pipedFrom?: readonly string[];
  codeFrom?: readonly string[];
  reason?: string;
  /** One of ours: what isn’t certain is asked about, not refused. */
  shipped?: true;
}

/** A shape as the lists `allow`, `ask` and `deny` hold it. A deny or ask holds for its words in any place. Throws `config-invalid`. */
export function compileShape(effect: RuleEffect, text: string, from: string): CompiledRule {
  const { tool, command, paths } = shapeOf(text);
  const rule = { effect, by: `rule:${text.trim()}`, from, text: text.trim(), tool };
  if (command === undefined) return { ...rule, ...(paths !== undefined && { paths }) };
  const words = command.words.map((word) => ({ text: word, isQuoted: true }));
  const any = { text: '*', isQuoted: false };
  return {
    ...rule,
    command: patternOf(command.open ? [...words, any] : words, effect !== 'allow'),
  };
}

/** Throws `config-invalid` for a rule that can’t mean anything. */
export function compileRule(rule: CallRule, from: string): CompiledRule {
  const problem = problemOf(rule);
  if (problem !== undefined) throw new ReinsError('config-invalid', problem);
  const { effect, name, tool, command, paths, access, hosts, risk, pipedFrom, codeFrom, reason } = rule;
  const pattern = command === undefined ? undefined : parsePattern(command);
  const text = name ?? describe(rule);
  return {
    effect,
    by: `rule:${text}`,
    from,
    text,
    ...(tool !== undefined && { tool }),
    ...(pattern !== undefined && !('problem' in pattern) && { command: pattern }),
    ...(paths !== undefined && { paths }),
    ...(access !== undefined && { access }),
    ...(hosts !== undefined && { hosts }),
    ...(risk !== undefined && { risk }),
    ...(pipedFrom !== undefined && { pipedFrom }),
    ...(codeFrom !== undefined && { codeFrom }),
    ...(reason !== undefined && { reason }),
  };
}

/** What it is about, in the order in which it is written. */
function describe({ tool, command, paths, access, hosts, risk, pipedFrom, codeFrom }: CallRule): string {
  const parts = [
    calls(tool, command),
    paths === undefined ? undefined : `${access ?? ''} paths ${paths}`.trim(),
    hosts === undefined ? undefined : `hosts ${hosts.join(', ')}`,
    risk === undefined ? undefined : `risk ${risk}`,
    pipedFrom === undefined ? undefined : `piped from ${pipedFrom.join(', ')}`,
    codeFrom === undefined ? undefined : `code from ${codeFrom.join(', ')}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** As a shape says it, where it is about the commands of one tool. */
function calls(tool: string | undefined, command: string | undefined): string | undefined {
  if (command === undefined) return tool;
  return tool === undefined ? `command ${command}` : `${tool}(${command})`;
}

/** What is wrong with a rule about calls, or nothing. */
export function problemOf(rule: CallRule): string | undefined {
  const { tool, command, paths, access, hosts, risk, pipedFrom, codeFrom } = rule;
  const said = [tool, command, paths, hosts, risk, pipedFrom, codeFrom].some((each) => each !== undefined);
  if (!said) return 'A rule names at least one of tool, command, paths, hosts, risk, pipedFrom and codeFrom.';
  if (access !== undefined && paths === undefined) return '`access` belongs to `paths`.';
  if (tool !== undefined && 'problem' in parseShape(tool)) return `${JSON.stringify(tool)} is no name of a tool.`;
  const host = hosts?.find(
    (each) => !/^(?:\*|(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(each),
  );
  if (host !== undefined) return `${JSON.stringify(host)} is no host: write name, *.name or *, each also with :port.`;
  if (paths !== undefined && (paths.split('/').includes('..') || (paths.startsWith('~') && !paths.startsWith('~/')))) {
    return 'A path pattern is relative to the workspace, absolute, or begins with ~/, and holds no `..`.';
  }
  const pattern = command === undefined ? undefined : parsePattern(command);
  return pattern !== undefined && 'problem' in pattern
    ? `command ${JSON.stringify(command)}: ${pattern.problem}`
    : undefined;
}
