/** Floor, mode, rules, grants, in that order, for each part of a call: the verdict, with what decided and why. */
import { ReinsError, type Mode } from '../core/index.ts';
import { compileRule, compileShape, type CompiledRule, type RuleEffect } from './compile.ts';
import { judgeByFloor, judgeCallByFloor, type FloorPlaces } from './floor.ts';
import { mayRun } from './mentions.ts';
import { modeSays, modeTexts, strangeRead } from './modes.ts';
import type { JudgedCall, Judgement, Policy } from './needs.ts';
import { offeredShape } from './offered.ts';
import { callRules, pack, type PackRule } from './pack.ts';
import { partsOf, type JudgedPart } from './part.ts';
import type { CallRule } from './rule.ts';
import { covers, literal, touches } from './rules.ts';
import { parseShape, shapeOf } from './shape.ts';
import { staleRead, type ReadAges } from './stale-read.ts';
import { simpleCommand } from './words.ts';

interface RuleSource {
  from: 'user' | 'project' | 'profile' | 'command-line';
  /** For a project’s rules: the user trusts this workspace. An untrusted project can only tighten. */
  trusted?: boolean;
}

/** A rule of the settings: in its short form, or whole. See docs/rules.md. */
export type PolicyRule = RuleSource & ({ effect: RuleEffect; shape: string } | { rule: CallRule });

/** What the user makes of a shipped rule. */
export type PackChoice = 'deny' | 'ask' | 'off';

export interface PolicyOptions extends Omit<FloorPlaces, 'workspace'> {
  mode: Mode;
  rules: readonly PolicyRule[];
  /** The sandbox is proven to work; without that there is no mode auto. */
  sandboxed: boolean;
  /** Its real, absolute path. */
  workspace: string;
  /** Shapes that were granted earlier. */
  grants?: Iterable<string>;
  /** Shipped rules by name; those that aren’t named deny. */
  pack?: { readonly [name: string]: PackChoice };
  /** A change to what was last read longer ago wants a fresh read. */
  staleRead?: ReadAges;
}

/** Throws `mode-unavailable` for auto without a sandbox and `config-invalid` for a rule that is none. */
export function createPolicy(options: PolicyOptions): Policy {
  if (options.mode === 'auto' && !options.sandboxed) {
    throw new ReinsError('mode-unavailable', 'Mode auto was asked for, and commands can’t be held in a sandbox.');
  }
  return new LayeredPolicy(options);
}

const placeNames = {
  user: 'the user’s settings',
  project: 'the project’s settings',
  profile: 'the profile',
  'command-line': 'the command line',
};

class LayeredPolicy implements Policy {
  readonly mode: Mode;
  readonly #places: FloorPlaces;
  readonly #allow: readonly CompiledRule[];
  readonly #strict: readonly CompiledRule[];
  readonly #grants = new Map<string, CompiledRule>();
  readonly #staleRead: ReadAges | undefined;

  constructor(options: PolicyOptions) {
    const { mode, rules, workspace, home, own, planFile, environmentFiles, grants = [] } = options;
    this.mode = mode;
    this.#places = { workspace, ...(home !== undefined && { home }), ...(own !== undefined && { own }) };
    if (planFile !== undefined) this.#places.planFile = planFile;
    if (environmentFiles !== undefined) this.#places.environmentFiles = environmentFiles;
    this.#staleRead = options.staleRead;
    const all = [...rules.flatMap(compiled), ...shipped(mode, options.pack ?? {})];
    this.#allow = all.filter(({ effect }) => effect === 'allow');
    this.#strict = all.filter(({ effect }) => effect !== 'allow');
    for (const text of grants) {
      // One that can't be read any more grants nothing, which only asks once more.
      if (!('problem' in parseShape(text))) this.#grants.set(text, compileShape('allow', text, ''));
    }
  }

  async grant(shape: string): Promise<void> {
    this.#grants.set(shape, compileShape('allow', shapeOf(shape).text, ''));
  }

  /** A chain is allowed exactly if each of its parts is: the strictest says it, and of several the first. */
  judge(call: JudgedCall): Judgement {
    const whole = judgeCallByFloor(call);
    if (whole !== undefined) return whole;
    const parts = partsOf(call);
    const judged = parts.map((part) => this.#judgePart(part, call.effects.command));
    const strictest = judged.reduce((worst, each) => (rank(each) > rank(worst) ? each : worst));
    const needsNaming = strictest.decision !== 'allow' && strictest.part !== call.effects.command;
    return needsNaming ? strictest : withoutPart(strictest);
  }

  #judgePart(part: JudgedPart, line: string | undefined): Judgement {
    const floor = judgeByFloor(part, this.#places);
    const denied = floor?.decision === 'deny' ? floor : this.#refusedByMode(part);
    const ruled = denied ?? this.#ruled(part, line);
    // What the floor only fears is asked about whatever the mode, but a rule may know better.
    const judgement = (ruled?.decision === 'deny' ? ruled : floor) ?? ruled ?? this.#passed(part);
    return part.text === undefined ? judgement : { ...judgement, part: part.text };
  }

  #refusedByMode(part: JudgedPart): Judgement | undefined {
    if (modeSays(this.mode, part, this.#places) !== 'no') return undefined;
    const why = part.text !== undefined && part.unclear !== undefined ? ` (${part.unclear})` : '';
    return { decision: 'deny', by: `mode:${this.mode}`, reason: `${modeTexts[this.mode]}${why}.` };
  }

  /** Deny beats ask. A rule that asks does so every time: no "always" is offered, and none that was given counts. */
  #ruled(part: JudgedPart, line: string | undefined): Judgement | undefined {
    const touched = this.#strict.flatMap((rule) => {
      const touch = touches(rule, part, this.#places) ?? nearby(rule, part, line);
      // What a shipped rule can only suspect is for a person to say.
      const effect: 'deny' | 'ask' =
        rule.effect === 'deny' && !(rule.shipped === true && touch?.maybe) ? 'deny' : 'ask';
      return touch === undefined ? [] : [{ rule, why: touch.why, effect }];
    });
    const denied = touched.find(({ effect }) => effect === 'deny');
    const stale = denied === undefined ? staleRead(part, this.#staleRead, this.#places.workspace) : undefined;
    const hit = denied ?? touched[0];
    if (stale !== undefined || hit === undefined) return stale;
    return { decision: hit.effect, by: hit.rule.by, reason: reasonOf(hit.rule, hit.effect, hit.why) };
  }

  #passed(part: JudgedPart): Judgement {
    if (modeSays(this.mode, part, this.#places) === 'pass') {
      return { decision: 'allow', by: `mode:${this.mode}`, reason: `mode ${this.mode} lets it pass.` };
    }
    const rule = this.#allow.find((each) => covers(each, part, this.#places));
    if (rule !== undefined) return { decision: 'allow', by: rule.by, reason: `${rule.from} allow ${rule.text}.` };
    const [grant] = [...this.#grants].find(([, each]) => covers(each, part, this.#places)) ?? [];
    if (grant !== undefined) {
      return { decision: 'allow', by: `grant:${grant}`, reason: `${grant} was granted for always.` };
    }
    const shape = offeredShape(part, this.#places);
    const reason = `${this.#whyAsked(part)}.${this.#allowedText(part)}`;
    return { decision: 'ask', by: `mode:${this.mode}`, reason, ...(shape === undefined ? {} : { shape }) };
  }

  #whyAsked(part: JudgedPart): string {
    const strange = part.effects.every((effect) => effect === 'read')
      ? strangeRead(part, this.#places.workspace)
      : undefined;
    if (strange !== undefined) return `it reads ${strange}, which is outside the workspace`;
    return modeTexts[this.mode];
  }

  /** What would pass without a question, so that the model knows the way round. */
  #allowedText({ text, tool }: JudgedPart): string {
    const shapes = [...this.#allow.map((rule) => ({ ...rule })), ...this.#grants.values()]
      .filter((rule) => rule.tool === tool)
      .map((rule) => rule.text);
    if (shapes.length === 0) return '';
    const simple = text === undefined ? undefined : simpleCommand(text);
    const unclear =
      simple !== undefined && 'unclear' in simple ? `, as one plain command (this has ${simple.unclear})` : '';
    return ` Without a question pass: ${shapes.slice(0, shapesShown).join(', ')}${unclear}.`;
  }
}

const shapesShown = 12;
const strictness = { allow: 0, ask: 1, deny: 2 };

/** A denial by the floor tells more than one by a rule. */
function rank({ decision, by }: Judgement): number {
  return strictness[decision] + (decision === 'deny' && by === 'floor' ? 1 : 0);
}

/** Who says it, why it concerns the part, and the way out. */
function reasonOf(
  { shipped: isShipped, from, text, effect: means, reason }: CompiledRule,
  effect: 'deny' | 'ask',
  why: string,
): string {
  const verb = means === 'deny' ? 'deny' : 'ask about';
  const said =
    isShipped === true ? `the shipped rule ${text} holds, and ${why}.` : `${from} ${verb} ${text}, and ${why}.`;
  const wayOut = 'Do without it, or spell the command out plainly if it means something else.';
  return `${said} ${reason ?? (effect === 'deny' ? wayOut : '')}`.trim();
}

/** Where all passes, or the line is one part, there is none to be named. */
function withoutPart({ part: _, ...rest }: Judgement): Judgement {
  return rest;
}

function compiled(source: PolicyRule): CompiledRule[] {
  const { from, trusted } = source;
  const effect = 'rule' in source ? source.rule.effect : source.effect;
  if (effect === 'allow' && from === 'project' && trusted !== true) return [];
  const place = placeNames[from];
  return ['rule' in source ? compileRule(source.rule, place) : compileShape(effect, source.shape, place)];
}

function shipped(mode: Mode, choices: { readonly [name: string]: PackChoice }): CompiledRule[] {
  if (mode === 'unsafe') return [];
  return pack.flatMap((each) => {
    const choice = choices[each.name] ?? 'deny';
    return choice === 'off' ? [] : compiledPack(each, choice);
  });
}

/** They are the same for every policy, and many. */
const compiledPacks = new Map<string, CompiledRule[]>();

function compiledPack(rule: PackRule, choice: 'ask' | 'deny'): CompiledRule[] {
  const key = `${choice} ${rule.name}`;
  const known = compiledPacks.get(key);
  if (known !== undefined) return known;
  const made = callRules(rule, choice).map((each): CompiledRule => ({
    ...compileRule(each, 'the shipped rule'),
    by: `pack:${rule.name}`,
    shipped: true,
  }));
  compiledPacks.set(key, made);
  return made;
}

/** A deny or ask for a command that occurs elsewhere in a line of which something can’t be told. */
function nearby(
  rule: CompiledRule,
  part: JudgedPart,
  line: string | undefined,
): { why: string; maybe: boolean } | undefined {
  const isOnlyCommand = rule.paths ?? rule.hosts ?? rule.risk ?? rule.pipedFrom ?? rule.codeFrom;
  if (line === undefined || part.unclear === undefined || rule.command === undefined) return undefined;
  if (rule.shipped === true || isOnlyCommand !== undefined) return undefined;
  const why = mayRun(line, literal(rule.command));
  return why === undefined ? undefined : { why, maybe: true };
}
