/** What a step is called where people read it. */
import { plural } from '../../core/index.ts';
import type { Call, Said, Step, Trajectory } from './trajectory.ts';

const personal: { readonly [from: string]: string } = {
  steer: 'User, while it works',
  'follow-up': 'User, for afterwards',
  parent: 'Parent session',
};

export function stepTitle(step: Step): string {
  switch (step.kind) {
    case 'said':
      return saidTitle(step);
    case 'turn':
      return `Turn ${step.turn} (${modelName(step.source)})`;
    case 'compaction':
      return step.text === ''
        ? `Compaction: ${plural(step.elided, 'result')} shortened`
        : `Compaction: ${step.before} tokens became ${step.after}`;
    case 'check':
      return `Check ${step.passed ? 'passed' : 'failed'}: ${step.command}`;
    default:
      return `End: ${step.reason}${step.code === undefined ? '' : ` (${step.code})`}`;
  }
}

function saidTitle({ by, from, code }: Said): string {
  if (by === 'person') return personal[from] ?? 'User';
  return code === undefined && from === 'harness' ? 'Reins' : `Reins (${code ?? from})`;
}

export function callTitle({ name, result }: Call): string {
  return `${name}: ${result === undefined ? 'no result' : result.outcome}`;
}

export function modelName({
  provider,
  model,
}: NonNullable<Trajectory['setup']> | { provider?: string; model: string }): string {
  return provider === undefined ? model : `${provider}/${model}`;
}
