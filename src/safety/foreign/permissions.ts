/**
 * Settings with `permissions: { allow, ask, deny }` and rules such as `Bash(git log:*)`, `Read(~/.ssh/**)`, `WebFetch(domain:x)`.
 * Meanings as measured on the program that they come from: a rule that has no effect there gets none here.
 */
import type { CallRule } from '../rule.ts';
import { simpleCommand } from '../words.ts';
import type { Imported } from './imported.ts';
import { pathPatterns } from './path-patterns.ts';

type Effect = CallRule['effect'];
type Rules = CallRule[] | { why: string };

/** Their tools and ours. */
const tools: { readonly [name: string]: readonly string[] } = {
  Bash: ['shell'],
  Read: ['read'],
  Write: ['write'],
  Edit: ['edit', 'edit_lines', 'apply_patch'],
  MultiEdit: ['edit', 'edit_lines', 'apply_patch'],
  NotebookEdit: ['edit', 'edit_lines', 'apply_patch'],
  Grep: ['search'],
  Glob: ['find'],
  LS: ['read'],
  WebFetch: ['fetch'],
  TodoWrite: ['plan'],
  AskUserQuestion: ['ask'],
};

export async function importPermissions(text: string, root: string | undefined): Promise<Imported> {
  const { findNodeAtLocation, getNodeValue, parseTree } = await import('jsonc-parser');
  const tree = parseTree(text);
  const permissions = tree && findNodeAtLocation(tree, ['permissions']);
  const imported: Imported = { rules: [], leftOut: [] };
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  if (permissions === undefined) {
    imported.leftOut.push({ line: 1, what: 'the whole file', why: 'it has no `permissions`' });
    return imported;
  }
  for (const property of permissions.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const line = lineAt(property.offset);
    if (name !== 'allow' && name !== 'ask' && name !== 'deny') {
      imported.leftOut.push({ line, what: `permissions.${name}`, why: otherSetting(name) });
      continue;
    }
    for (const item of value.children ?? []) take(imported, lineAt(item.offset), name, getNodeValue(item), root);
  }
  return imported;
}

function take(imported: Imported, line: number, effect: Effect, written: unknown, root: string | undefined): void {
  if (typeof written !== 'string') {
    imported.leftOut.push({ line, what: JSON.stringify(written), why: 'it is no text' });
    return;
  }
  const rules = rulesOf(effect, written, root);
  if ('why' in rules) imported.leftOut.push({ line, what: `${effect} ${written}`, why: rules.why });
  else imported.rules.push(...rules.map((rule) => ({ line, rule })));
}

function otherSetting(name: string): string {
  if (name === 'defaultMode') return 'a mode is set with the setting `mode`';
  if (name === 'additionalDirectories') return 'commands and tools work in one workspace';
  return 'it is no list of rules';
}

function rulesOf(effect: Effect, written: string, root: string | undefined): Rules {
  const [, name = '', spec] = /^([A-Za-z][\w-]*)(?:\((.*)\))?$/s.exec(written.trim()) ?? [];
  if (!Object.hasOwn(tools, name)) {
    return { why: name === '' ? 'it is no rule' : `there is no counterpart of the tool ${name} here` };
  }
  if (spec === undefined) return (tools[name] ?? []).map((tool) => ({ effect, tool }));
  if (name === 'Bash') return commandRules(effect, spec);
  if (name === 'WebFetch') return hostRules(effect, spec);
  if (name === 'Read') return pathRules(effect, 'read', spec, root);
  if (name === 'Edit')
    return spec === '*' ? { why: 'it matches nothing where it comes from' } : pathRules(effect, 'write', spec, root);
  if (name === 'Write')
    return { why: 'rules with a path for Write are never looked at where it comes from; Edit covers writing' };
  return { why: `rules of ${name} with parentheses have no counterpart here` };
}

/** `*` stands for any characters there, blanks too; `:*` at the end for a word’s end and anything after it. */
function commandRules(effect: Effect, spec: string): Rules {
  const text = spec.trim();
  if (text === '*') return [{ effect, tool: 'shell' }];
  if (text === ':*' || text === '') return { why: 'it matches nothing where it comes from' };
  const open = /(?::\*| \*)$/.test(text);
  const body = open ? text.replace(/(?::\*| \*)$/, '') : text;
  const words = body.split(/\s+/);
  const plain = simpleCommand(body.replaceAll('*', 'x'));
  if ('unclear' in plain) return { why: `it is no plain command: it has ${plain.unclear}` };
  if (plain.words.length !== words.length) return { why: 'it has quotes, whose meaning there isn’t known' };
  // What reaches over blanks there is, here, a word and any further words.
  const spread = words.flatMap((word) => {
    if (!word.includes('*') || word === '*') return [word];
    return [...(word.startsWith('*') ? ['*'] : []), word, ...(word.endsWith('*') ? ['*'] : [])];
  });
  const command = [...spread, ...(open ? ['*'] : [])].join(' ').replaceAll(/(?: \*)+(?= \*|$)/g, ' *');
  return [{ effect, tool: 'shell', command }];
}

function hostRules(effect: Effect, spec: string): Rules {
  const host = /^domain:([\w.*-]+)$/.exec(spec.trim())?.[1];
  if (host === undefined) return { why: 'only `domain:name` has a counterpart here' };
  if (effect === 'allow') return { why: 'a host is granted in the setting `fetch`' };
  return [{ effect, hosts: [host] }];
}

function pathRules(effect: Effect, access: 'read' | 'write', spec: string, root: string | undefined): Rules {
  const patterns = pathPatterns(spec.trim(), root);
  if ('why' in patterns) return patterns;
  return patterns.map((paths) => ({ effect, paths, access }));
}
