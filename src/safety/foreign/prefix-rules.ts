/** Prefix rules in Starlark: `prefix_rule(pattern, decision, justification, match, not_match)` and `network_rule(host, decision)`. */
import type { CallRule } from '../rule.ts';
import { quoteWord } from '../words.ts';
import type { Imported, ImportedRule } from './imported.ts';
import { readStarlark, type Call, type Value } from './starlark.ts';

const effects: { readonly [decision: string]: CallRule['effect'] } = {
  allow: 'allow',
  prompt: 'ask',
  forbidden: 'deny',
};
/** Commands that the alternatives of one rule may stand for. */
const mostAlternatives = 200;

export function importPrefixRules(text: string): Imported {
  const { calls, unread } = readStarlark(text);
  const imported: Imported = { rules: [], leftOut: unread.map(({ line, text: what, why }) => ({ line, what, why })) };
  for (const call of calls) {
    try {
      imported.rules.push(...rulesOf(call));
    } catch (error) {
      imported.leftOut.push({ line: call.line, what: call.text, why: (error as Error).message });
    }
  }
  return imported;
}

function rulesOf(call: Call): ImportedRule[] {
  if (call.plain.length > 0) throw new Error('its arguments have no names');
  if (call.name === 'prefix_rule') return prefixRules(call);
  if (call.name === 'network_rule') return [networkRule(call)];
  throw new Error(`\`${call.name}\` has no counterpart here`);
}

/** A rule for each command that its alternatives stand for: a pattern is a prefix of exact words. */
function prefixRules({ line, named }: Call): ImportedRule[] {
  refuseOthers(named, ['pattern', 'decision', 'justification', 'match', 'not_match']);
  const prefixes = alternativesOf(named['pattern']);
  const effect = effectOf(named['decision'] ?? 'allow');
  const matches = examplesOf(named['match']);
  const differ = examplesOf(named['not_match']).map(written);
  const lost = matches.find((example) => !prefixes.some((prefix) => beginsWith(example, prefix)));
  if (lost !== undefined) throw new Error(`its own example \`${written(lost)}\` isn’t of its pattern`);
  const reason = typeof named['justification'] === 'string' ? { reason: named['justification'] } : {};
  return prefixes.map((prefix) => {
    const match = matches.filter((example) => beginsWith(example, prefix)).map(written);
    const examples = { ...(match.length > 0 && { match }), ...(differ.length > 0 && { differ }) };
    const rule: CallRule = { effect, tool: 'shell', command: `${written(prefix)} *`, ...reason };
    return { line, rule: Object.keys(examples).length === 0 ? rule : { ...rule, examples } };
  });
}

function networkRule({ line, named }: Call): ImportedRule {
  refuseOthers(named, ['host', 'protocol', 'decision', 'justification']);
  const { host, justification } = named;
  if (typeof host !== 'string' || host === '') throw new Error('its host is no text');
  const effect = effectOf(named['decision'] ?? 'allow');
  if (effect === 'allow') throw new Error('a host is granted in the settings `egress` and `fetch` only');
  return { line, rule: { effect, hosts: [host], ...(typeof justification === 'string' && { reason: justification }) } };
}

function refuseOthers(named: Call['named'], known: readonly string[]): void {
  const other = Object.keys(named).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`its argument \`${other}\` isn’t known`);
}

function effectOf(decision: Value): CallRule['effect'] {
  const effect = typeof decision === 'string' && Object.hasOwn(effects, decision) ? effects[decision] : undefined;
  if (effect === undefined) throw new Error('its decision is none of allow, prompt and forbidden');
  return effect;
}

function alternativesOf(pattern: Value | undefined): string[][] {
  if (!Array.isArray(pattern) || pattern.length === 0) throw new Error('its pattern is no list of words');
  let prefixes: string[][] = [[]];
  for (const element of pattern) {
    const words = (Array.isArray(element) ? element : [element]).map(wordOf);
    prefixes = prefixes.flatMap((prefix) => words.map((word) => [...prefix, word]));
    if (prefixes.length > mostAlternatives) throw new Error(`it stands for more than ${mostAlternatives} commands`);
  }
  if (prefixes.length === 0) throw new Error('it has an element without alternatives');
  return prefixes;
}

function wordOf(value: Value): string {
  if (typeof value !== 'string' || value === '') throw new Error('its pattern holds something that is no word');
  if (quoteWord(value) === undefined)
    throw new Error(`the word ${JSON.stringify(value)} can’t be written in a pattern here`);
  return value;
}

/** Examples are lists of words, or texts that are split at blanks. */
function examplesOf(value: Value | undefined): string[][] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error('its examples are no list');
  return value.map((example) => {
    const words = typeof example === 'string' ? splitWords(example) : example;
    if (!Array.isArray(words) || !words.every((word): word is string => typeof word === 'string')) {
      throw new Error('an example is neither a text nor a list of words');
    }
    return words;
  });
}

function splitWords(text: string): string[] {
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

function beginsWith(example: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((word, index) => example[index] === word);
}

function written(words: readonly string[]): string {
  return words.map((word) => quoteWord(word) ?? JSON.stringify(word)).join(' ');
}
