/** Floor, mode, rules, grants, in that order: the verdict on a call, with what decided and why. */
import { ReinsError, type Mode } from '../core/index.ts';
import { judgeByFloor } from './floor.ts';
import { modeSays, modeTexts } from './modes.ts';
import type { JudgedCall, Judgement, Policy } from './needs.ts';
import { inWorkspace, isPath } from './paths.ts';
import { covers, touches } from './rules.ts';
import { parseShape, shapeOf, shapeOfCommand, shapeOfPath, type Shape } from './shape.ts';
import { simpleCommand } from './words.ts';

export interface PolicyRule {
  effect: 'allow' | 'ask' | 'deny';
  /** See docs/tools.md for the forms. */
  shape: string;
  from: 'user' | 'project' | 'command-line';
  /** For a project's rules: the user trusts this workspace. An untrusted project can only tighten. */
  trusted?: boolean;
}

export interface PolicyOptions {
  mode: Mode;
  rules: readonly PolicyRule[];
  /** The sandbox is proven to work; without that there is no mode auto. */
  sandboxed: boolean;
  /** Its real, absolute path. */
  workspace: string;
  /** Shapes that were granted earlier in the session. */
  grants?: Iterable<string>;
}

/** Throws `mode-unavailable` for auto without a sandbox and `config-invalid` for a rule that is no shape. */
export function createPolicy(options: PolicyOptions): Policy {
  if (options.mode === 'auto' && !options.sandboxed) {
    throw new ReinsError('mode-unavailable', 'Mode auto was asked for, and commands can’t be held in a sandbox.');
  }
  return new LayeredPolicy(options);
}

type Placed = Shape & { from: string };

const placeNames = {
  user: 'the user’s settings',
  project: 'the project’s settings',
  'command-line': 'the command line',
};

class LayeredPolicy implements Policy {
  readonly mode: Mode;
  readonly #workspace: string;
  readonly #deny: Placed[];
  readonly #ask: Placed[];
  readonly #allow: Placed[];
  readonly #grants = new Map<string, Shape>();

  constructor({ mode, rules, workspace, grants = [] }: PolicyOptions) {
    this.mode = mode;
    this.#workspace = workspace;
    const placed = (effect: PolicyRule['effect']): Placed[] =>
      rules
        .filter((rule) => rule.effect === effect && mayHold(rule))
        .map((rule) => ({ ...shapeOf(rule.shape), from: placeNames[rule.from] }));
    this.#deny = placed('deny');
    this.#ask = placed('ask');
    this.#allow = placed('allow');
    for (const text of grants) {
      const shape = parseShape(text);
      // One that can't be read any more grants nothing, which only asks once more.
      if (!('problem' in shape)) this.#grants.set(text, shape);
    }
  }

  async grant(shape: string): Promise<void> {
    this.#grants.set(shape, shapeOf(shape));
  }

  judge(call: JudgedCall): Judgement {
    return (
      judgeByFloor(call, this.#workspace) ??
      this.#refusedByMode(call) ??
      this.#denied(call) ??
      this.#asked(call) ??
      this.#passed(call)
    );
  }

  #refusedByMode(call: JudgedCall): Judgement | undefined {
    if (modeSays(this.mode, call) !== 'no') return undefined;
    return { decision: 'deny', by: `mode:${this.mode}`, reason: `${modeTexts[this.mode]}.` };
  }

  #denied(call: JudgedCall): Judgement | undefined {
    for (const shape of this.#deny) {
      const why = touches(shape, call, this.#workspace);
      if (why === undefined) continue;
      const reason = `${shape.from} deny ${shape.text}, and ${why}. Do without it, or spell the command out plainly if it means something else.`;
      return { decision: 'deny', by: `rule:${shape.text}`, reason };
    }
    return undefined;
  }

  /** A rule that asks does so every time: no "always" is offered, and none that was given counts. */
  #asked(call: JudgedCall): Judgement | undefined {
    for (const shape of this.#ask) {
      const why = touches(shape, call, this.#workspace);
      if (why === undefined) continue;
      return {
        decision: 'ask',
        by: `rule:${shape.text}`,
        reason: `${shape.from} ask about ${shape.text}, and ${why}.`,
      };
    }
    return undefined;
  }

  #passed(call: JudgedCall): Judgement {
    if (modeSays(this.mode, call) === 'pass') {
      return { decision: 'allow', by: `mode:${this.mode}`, reason: `mode ${this.mode} lets it pass.` };
    }
    const rule = this.#allow.find((shape) => covers(shape, call, this.#workspace));
    if (rule !== undefined) {
      return { decision: 'allow', by: `rule:${rule.text}`, reason: `${rule.from} allow ${rule.text}.` };
    }
    const grant = [...this.#grants.values()].find((shape) => covers(shape, call, this.#workspace));
    if (grant !== undefined) {
      return { decision: 'allow', by: `grant:${grant.text}`, reason: `${grant.text} was granted for always.` };
    }
    const shape = this.#shapeOf(call);
    const reason = `${modeTexts[this.mode]}.${this.#allowedText(call)}`;
    return { decision: 'ask', by: `mode:${this.mode}`, reason, ...(shape === undefined ? {} : { shape }) };
  }

  /** What an "always" would grant: exactly what is asked, never more; nothing where that has no shape. */
  #shapeOf({ tool, effects }: JudgedCall): string | undefined {
    if (effects.command !== undefined) return tool === 'shell' ? shapeOfCommand(effects.command) : undefined;
    const resources = effects.resources === 'unknown' ? [] : effects.resources;
    const [only] = resources;
    if (only === undefined || resources.length > 1 || !isPath(only) || !fileTools.has(tool)) return undefined;
    return shapeOfPath(tool, inWorkspace(only.path, this.#workspace) ?? '');
  }

  /** What would pass without a question, so that the model knows the way round. */
  #allowedText({ effects, tool }: JudgedCall): string {
    const shapes = [...this.#allow, ...this.#grants.values()]
      .filter((shape) => shape.tool === tool)
      .map(({ text }) => text);
    if (shapes.length === 0) return '';
    const simple = effects.command === undefined ? undefined : simpleCommand(effects.command);
    const unclear =
      simple !== undefined && 'unclear' in simple ? `, as one plain command (this has ${simple.unclear})` : '';
    return ` Without a question pass: ${shapes.slice(0, shapesShown).join(', ')}${unclear}.`;
  }
}

const shapesShown = 12;
/** Tools whose calls are all of one kind for one path; another tool can do anything with it. */
const fileTools = new Set(['read', 'write', 'edit']);

function mayHold({ effect, from, trusted }: PolicyRule): boolean {
  return effect !== 'allow' || from !== 'project' || trusted === true;
}
