/** The joint between rules as the settings write them and rules as the policy judges by them. */
import { dirname } from 'node:path';
import { commandEnvironment, placesOf, type LoadedSettings } from '../config/index.ts';
import { ReinsError, type EventData } from '../core/index.ts';
import { realPathAsFar } from '../exec/index.ts';
import { exampleProblem, pack, parseShape, readRule, type PolicyRule } from '../safety/index.ts';

type Entry = LoadedSettings['entries'][number];
type Written = Parameters<typeof readRule>[0];

/** The rules about calls. What an untrusted project may not widen was left out when the settings were loaded. */
export function rulesOf({ entries, project }: LoadedSettings): PolicyRule[] {
  return entries.flatMap(({ path: [key], value, origin: { layer } }): PolicyRule[] => {
    if (layer === 'default' || layer === 'environment') return [];
    const source = { from: layer, trusted: project?.trusted ?? false };
    if ((key === 'allow' || key === 'ask' || key === 'deny') && typeof value === 'string') {
      return [{ ...source, effect: key, shape: value }];
    }
    const rule = key === 'rules' ? readRule(value as unknown as Written) : undefined;
    return rule !== undefined && 'effect' in rule ? [{ ...source, rule }] : [];
  });
}

/** Of the rules that are about no calls the strictest; undefined without one. */
export function budgetsOf({ settings }: LoadedSettings): { tokens?: number; staleAfter?: number } {
  const rules = settings.rules.map((rule) => readRule(rule as Written));
  const tokens = rules.flatMap((rule) => ('kind' in rule && rule.kind === 'token-budget' ? [rule.tokens] : []));
  const turns = rules.flatMap((rule) => ('kind' in rule && rule.kind === 'stale-read' ? [rule.turns] : []));
  return {
    ...(tokens.length > 0 && { tokens: Math.min(...tokens) }),
    ...(turns.length > 0 && { staleAfter: Math.min(...turns) }),
  };
}

/** Tools that no call of may run: the model isn’t told of them. */
export function deniedTools(loaded: LoadedSettings): string[] {
  return rulesOf(loaded).flatMap((rule) => {
    if (!('rule' in rule)) return rule.effect === 'deny' ? bareTool(rule.shape) : [];
    const { effect, tool, name: _, reason: __, examples: ___, ...conditions } = rule.rule;
    return effect === 'deny' && tool !== undefined && Object.keys(conditions).length === 0 ? [tool] : [];
  });
}

function bareTool(text: string): string[] {
  const shape = parseShape(text);
  return 'problem' in shape || shape.command !== undefined || shape.paths !== undefined ? [] : [shape.tool];
}

/** A rule that names no tool holds for nothing: whoever wrote it should not feel safe. */
export function strangeShapes(loaded: LoadedSettings, tools: readonly string[]): EventData['notice'][] {
  return rulesOf(loaded).flatMap((rule): EventData['notice'][] => {
    const tool = toolOf(rule);
    if (tool === undefined || tools.includes(tool)) return [];
    const said = 'rule' in rule ? `${rule.rule.effect} ${rule.rule.name ?? tool}` : `${rule.effect} ${rule.shape}`;
    const text = `The rule "${said}" names no tool: ${tools.join(', ')} are there.`;
    return [{ code: 'rule-without-tool', level: 'warning', text }];
  });
}

function toolOf(rule: PolicyRule): string | undefined {
  if ('rule' in rule) return rule.rule.tool;
  const shape = parseShape(rule.shape);
  return 'problem' in shape ? undefined : shape.tool;
}

interface RulePlace {
  /** Its real path. */
  workspace: string;
  env: Parameters<typeof placesOf>[0];
}

/** Rejects with `config-invalid`, by file and line, for what is no rule and for a rule whose own examples fail. */
export async function refuseBadRules(loaded: LoadedSettings, place: RulePlace): Promise<void> {
  for (const entry of loaded.entries) {
    const problem = problemIn(entry);
    if (problem !== undefined) throw wrongRule(entry, problem);
  }
  await tryExamples(loaded, place);
}

function wrongRule({ path, origin: { file, line } }: Entry, problem: string): ReinsError {
  const place = file === undefined ? '' : `${file}:${line ?? 1}: `;
  return new ReinsError('config-invalid', `${place}${path.join('.')}: ${problem}`);
}

function problemIn({ path, value }: Entry): string | undefined {
  const [key = '', name = ''] = path;
  if (['allow', 'ask', 'deny'].includes(key) && typeof value === 'string') {
    const shape = parseShape(value);
    return 'problem' in shape ? shape.problem : undefined;
  }
  if (key === 'pack') return pack.some((each) => each.name === name) ? undefined : noPackRule;
  const rule = key === 'rules' ? readRule(value as unknown as Written) : undefined;
  return rule !== undefined && 'problem' in rule ? rule.problem : undefined;
}

const noPackRule = `There is no such shipped rule; there are ${pack.map(({ name }) => name).join(', ')}.`;

/** Few rules have examples: what takes commands apart is loaded only for them. */
async function tryExamples(
  { entries, places: { home } }: LoadedSettings,
  { workspace, env }: RulePlace,
): Promise<void> {
  const withExamples = entries.flatMap((entry) => {
    const rule = entry.path[0] === 'rules' ? readRule(entry.value as unknown as Written) : undefined;
    return rule !== undefined && 'effect' in rule && rule.examples !== undefined ? [{ entry, rule }] : [];
  });
  if (withExamples.length === 0) return;
  const { analyserFor } = await import('./commands.ts');
  const analyser = analyserFor({ workspace, environment: commandEnvironment(env) });
  try {
    const analyse = (command: string) => analyser.analyse(command, workspace);
    for (const { entry, rule } of withExamples) {
      const problem = await exampleProblem(rule, { workspace, home, analyse });
      if (problem !== undefined) throw wrongRule(entry, problem);
    }
  } finally {
    await analyser.close();
  }
}

/** Where the harness keeps what only the user may change. */
export function ownPlaces(env: Parameters<typeof placesOf>[0]): { home: string; own: string[] } {
  const { home, state, settings } = placesOf(env);
  const own = [state, dirname(settings)];
  // Paths are judged by where they lead.
  return { home: realPathAsFar(home), own: [...new Set([...own, ...own.map(realPathAsFar)])] };
}
