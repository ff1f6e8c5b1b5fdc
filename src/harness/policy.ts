/** What would be decided about commands, without running any and without asking anybody. */
import { realpathSync } from 'node:fs';
import { commandEnvironment, loadGrants } from '../config/index.ts';
import type { CommandAnalysis, CommandPart, Mode } from '../core/index.ts';
import { classOf, createPolicy, exampleProblem, pack, type CommandClass } from '../safety/index.ts';
import { shellEffects } from '../tools/index.ts';
import { analyserFor } from './commands.ts';
import { ownPlaces, rulesOf } from './rules.ts';
import { settingsFor } from './settings.ts';
import type { SessionOptions } from './types.ts';

export interface PolicyOptions extends Pick<SessionOptions, 'workspace' | 'env' | 'trust'> {
  /** That of the settings when left out. Of auto it is assumed that the sandbox works. */
  mode?: Mode;
}

/** What would be decided about one command line. */
export interface PolicyAnswer {
  command: string;
  /** The worst that any part of it does. */
  class: CommandClass;
  verdict: 'allow' | 'ask' | 'deny';
  /** What decided: `floor`, `mode:<mode>`, `rule:<name or shape>`, `grant:<shape>`. */
  rule: string;
  reason: string;
  /** The part that decided, as it is written. */
  part?: string;
  /** Why the line can't be taken apart with certainty: then denials of commands look at the words of it alone. */
  unclear?: string;
  parts: (CommandPart & { class: CommandClass })[];
}

type JudgingPolicy = ReturnType<typeof createPolicy>;

/** What became of one example. */
export interface PolicyTrial {
  /** The rule, or the place in a file. */
  where: string;
  command: string;
  ok: boolean;
  /** What came instead. */
  got?: string;
}

export interface PolicyDesk {
  readonly mode: Mode;
  explain(command: string): Promise<PolicyAnswer>;
  /** The examples of all rules in force, shipped ones included. */
  testExamples(): Promise<PolicyTrial[]>;
  close(): Promise<void>;
}

/** Rejects as a run does for settings that can't be used. */
export async function openPolicy(options: PolicyOptions): Promise<PolicyDesk> {
  const { env, mode: wanted } = options;
  const settings = wanted === undefined ? {} : { settings: { mode: wanted } };
  const loaded = await settingsFor({ ...options, ...settings });
  const workspace = realpathSync(options.workspace);
  const { mode, files } = loaded.settings;
  const common = { mode, sandboxed: true, workspace, ...ownPlaces(env), environmentFiles: files.env === 'allow' };
  const policy = createPolicy({
    ...common,
    rules: rulesOf(loaded),
    pack: loaded.settings.pack,
    grants: loadGrants({ workspace, ...(env !== undefined && { env }) }).shapes,
  });
  const analyser = analyserFor({ workspace, environment: commandEnvironment(env) });
  const judge = async (by: JudgingPolicy, command: string) => {
    const effects = await shellEffects(command, workspace, analyser);
    const analysis = effects.analysis ?? { parts: [] };
    return { analysis, judgement: by.judge({ tool: 'shell', arguments: { command }, effects }) };
  };
  return {
    mode,
    async explain(command) {
      const { analysis, judgement } = await judge(policy, command);
      return answerOf(command, analysis, judgement);
    },
    async testExamples() {
      const trials: PolicyTrial[] = [];
      for (const { name, examples } of pack) {
        // Alone, and where all else passes: what isn't allowed then is the rule's own doing.
        const others = Object.fromEntries(
          pack.flatMap((each) => (each.name === name ? [] : [[each.name, 'off' as const]])),
        );
        const alone = createPolicy({ ...common, mode: 'auto', rules: [], pack: others });
        for (const [command, fits] of listed(examples)) {
          const { decision } = (await judge(alone, command)).judgement;
          trials.push(trialOf(`pack:${name}`, command, fits, decision !== 'allow'));
        }
      }
      const place = {
        workspace,
        home: loaded.places.home,
        analyse: (line: string) => analyser.analyse(line, workspace),
      };
      for (const rule of rulesOf(loaded).flatMap((each) => ('rule' in each ? [each.rule] : []))) {
        for (const [command, fits] of listed(rule.examples ?? {})) {
          const example = { ...rule, examples: fits ? { match: [command] } : { differ: [command] } };
          const isRight = (await exampleProblem(example, place)) === undefined;
          trials.push(trialOf(`rule:${rule.name ?? rule.command ?? rule.effect}`, command, fits, isRight === fits));
        }
      }
      return trials;
    },
    close: () => analyser.close(),
  };
}

function answerOf(
  command: string,
  analysis: CommandAnalysis,
  judgement: ReturnType<JudgingPolicy['judge']>,
): PolicyAnswer {
  const { decision, by, reason, part } = judgement;
  return {
    command,
    class: classOf(analysis),
    verdict: decision,
    rule: by,
    reason,
    ...(part !== undefined && { part }),
    ...(analysis.unclear !== undefined && { unclear: analysis.unclear }),
    parts: analysis.parts.map((each) => ({ ...each, class: classOf({ parts: [each] }) })),
  };
}

function listed({ match = [], differ = [] }: { match?: readonly string[]; differ?: readonly string[] }) {
  return [...match.map((command) => [command, true] as const), ...differ.map((command) => [command, false] as const)];
}

function trialOf(where: string, command: string, fits: boolean, isFit: boolean): PolicyTrial {
  if (fits === isFit) return { where, command, ok: true };
  return {
    where,
    command,
    ok: false,
    got: `its examples say that it ${fits ? 'fits' : 'must not fit'}, and it ${isFit ? 'does' : 'does not'}`,
  };
}
