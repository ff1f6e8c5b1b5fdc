/** What the policy says of a line in each mode, as a short text. */
import type { Mode } from '../../../src/core/index.ts';
import { createPolicy, type Analyser, type CallRule } from '../../../src/safety/index.ts';

const modes: readonly Mode[] = ['plan', 'ask', 'edit', 'auto', 'unsafe'];
const home = '/home/person';
const own = [`${home}/.local/state/reins`, `${home}/.config/reins`];

/** `decisions in plan, ask, edit, auto, unsafe | who decided that is no mode, of which part, and why | what "always" would keep`. */
export async function judgedInFull(analyser: Analyser, command: string, rules: readonly CallRule[]): Promise<string> {
  const analysis = await analyser.analyse(command, '/work');
  const effects = { effects: ['execute' as const], resources: 'unknown' as const, command, confined: true, analysis };
  const verdicts = modes.map((mode) =>
    createPolicy({
      mode,
      rules: rules.map((rule) => ({ rule, from: 'user' })),
      sandboxed: mode === 'auto',
      workspace: '/work',
      home,
      own,
    }).judge({ tool: 'shell', arguments: { command }, effects }),
  );
  const decided = verdicts
    .filter(({ by }) => !by.startsWith('mode:'))
    .map(({ by, part, reason }) => `${by}${part === undefined ? '' : ` on ${part}`}: ${firstSentence(reason)}`);
  const kept = verdicts.flatMap(({ shape }) => (shape === undefined ? [] : [`always ${shape}`]));
  return [verdicts.map(({ decision }) => decision).join(' '), ...new Set([...decided, ...kept])].join(' | ');
}

function firstSentence(text: string): string {
  return text.replace(/\. [^]*$/, '');
}
