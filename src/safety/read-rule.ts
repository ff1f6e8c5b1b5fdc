/** From a rule as settings write it to one that means something. */
import { problemOf } from './compile.ts';
import type { CallRule, RuleSetting, StaleReadRule, TokenRule } from './rule.ts';

/** What the schema lets through: the keys of all kinds side by side. */
export type WrittenRule = Omit<CallRule, 'effect'> & { effect?: CallRule['effect'] } & {
  kind?: 'token-budget' | 'stale-read';
  tokens?: number;
  turns?: number;
};

const kinds = {
  'token-budget': { key: 'tokens', example: '{"kind": "token-budget", "tokens": 2000000}' },
  'stale-read': { key: 'turns', example: '{"kind": "stale-read", "turns": 10}' },
} as const;

/** The rule, or what is wrong with it. */
export function readRule(written: WrittenRule): RuleSetting | { problem: string } {
  const { kind, tokens, turns, effect, ...rest } = written;
  if (kind !== undefined) return readKind(kind, written);
  if (tokens !== undefined || turns !== undefined) {
    return { problem: '`tokens` and `turns` belong to rules with a `kind`: "token-budget" or "stale-read".' };
  }
  if (effect === undefined) return { problem: 'A rule about calls says its `effect`: "allow", "ask" or "deny".' };
  const rule: CallRule = { ...rest, effect };
  const problem = problemOf(rule);
  return problem === undefined ? rule : { problem };
}

function readKind(kind: keyof typeof kinds, written: WrittenRule): TokenRule | StaleReadRule | { problem: string } {
  const { key, example } = kinds[kind];
  const strange = Object.keys(written).find((each) => each !== 'kind' && each !== key);
  const value = written[key];
  if (strange !== undefined || value === undefined) {
    const what = strange === undefined ? `lacks \`${key}\`` : `has no \`${strange}\``;
    return { problem: `A rule of the kind ${kind} ${what}; it is written ${example}.` };
  }
  return kind === 'token-budget' ? { kind, tokens: value } : { kind, turns: value };
}
