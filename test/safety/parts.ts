/** Analyses of command lines put together by hand: what the policy makes of them is tried, not how they come about. */
import type { CommandAnalysis, CommandPart, Mode } from '../../src/core/index.ts';
import { createPolicy, type JudgedCall, type PolicyOptions, type PolicyRule } from '../../src/safety/index.ts';

export const workspace = '/home/me/space';
export const home = '/home/me';
const own = ['/home/me/.local/state/reins', '/home/me/.config/reins'];

/** A part: words separated by blanks; `?` is a word that can't be told. */
export function part(text: string, more: Partial<CommandPart> = {}): CommandPart {
  const words = text.split(' ').map((word) => (word === '?' ? null : word));
  return { text, words, effects: ['read'], paths: [], hosts: [], inside: [], ...more };
}

export const reads = (text: string, ...paths: string[]) =>
  part(text, { paths: paths.map((path) => ({ access: 'read', path })) });
export const writes = (text: string, ...paths: string[]) =>
  part(text, { effects: ['write'], paths: paths.map((path) => ({ access: 'write', path })) });
export const destroys = (text: string, ...paths: string[]) =>
  part(text, { effects: ['destroy'], paths: paths.map((path) => ({ access: 'destroy', path, recursive: true })) });
export const runs = (text: string) => part(text, { effects: ['execute', 'cannot-tell'], reason: 'it runs code' });

export function callOf(parts: CommandPart[], more: Partial<CommandAnalysis> = {}): JudgedCall {
  const command = parts.map(({ text }) => text).join(' && ');
  const analysis = { parts, ...more };
  return {
    tool: 'shell',
    arguments: { command },
    effects: { effects: ['execute'], resources: 'unknown', command, confined: true, analysis },
  };
}

export function policyOf(mode: Mode, rules: readonly PolicyRule[] = [], more: Partial<PolicyOptions> = {}) {
  return createPolicy({ mode, rules, sandboxed: mode === 'auto', workspace, home, own, ...more });
}

export function judge(mode: Mode, parts: CommandPart | CommandPart[], rules: readonly PolicyRule[] = []) {
  return policyOf(mode, rules).judge(callOf([parts].flat()));
}

export const decide = (...given: Parameters<typeof judge>) => judge(...given).decision;

export const shapes = (effect: 'allow' | 'ask' | 'deny', ...list: string[]): PolicyRule[] =>
  list.map((shape) => ({ effect, shape, from: 'user' }));
