/** The review of a plan at the terminal: accept it in one of its modes, have it changed, or reject it. */
import type { Approver, EventData } from '../../harness/index.ts';
import type { Terminal } from './terminal.ts';

type Answer = Awaited<ReturnType<Approver['ask']>>;
type Plan = NonNullable<EventData['ask']['plan']>;

const by = 'terminal';

/** `y` is the first mode, each other one has its first letter. */
function choices({ modes: [careful = 'ask', ...others] }: Plan): string {
  const more = others.map((mode) => `${mode[0]}: accept, mode ${mode}`);
  return [`y: accept, mode ${careful}`, ...more, 'c: change it, and say how', 'n: reject'].join('  ');
}

/** Undefined where what was typed is none of the choices, and the end of the input where it ended. */
export async function readPlanAnswer(
  { input, err }: Pick<Terminal, 'input' | 'err'>,
  plan: Plan,
  signal: AbortSignal,
): Promise<Answer | { end: 'aborted' | 'closed' } | undefined> {
  err.write(`  ${choices(plan)} > `);
  const typed = await input.line(signal);
  if (typeof typed !== 'string') return typed;
  const word = typed.trim().toLowerCase();
  const [careful = 'ask', ...others] = plan.modes;
  const mode = word === 'y' || word === 'yes' ? careful : others.find((each) => word === each[0] || word === each);
  if (mode !== undefined) return { by, decision: 'yes', scope: 'once', mode };
  if (word === 'n' || word === 'no') return { by, decision: 'no', scope: 'once' };
  if (word !== 'c' && word !== 'change') return undefined;
  err.write('  how > ');
  const change = await input.line(signal);
  if (typeof change !== 'string') return change;
  // Nothing said is no change, and no rejection either.
  return change.trim() === '' ? undefined : { by, decision: 'no', scope: 'once', reason: change.trim() };
}
