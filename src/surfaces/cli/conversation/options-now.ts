/** With which options a conversation goes on as it is now. Pure. */
import type { RunSettings } from '../../../harness/index.ts';
import type { GivenOption } from '../render/index.ts';

type Changeable = Pick<RunSettings, 'mode' | 'model' | 'limits'>;

/** What was given, with what a conversation can change as it stands at its end. */
export function optionsNow(given: readonly GivenOption[], { mode, model, limits = {} }: Changeable): GivenOption[] {
  const now: { readonly [name: string]: string | undefined } = {
    mode,
    model,
    'max-turns': limitText(limits.turns),
    'max-calls': limitText(limits.calls),
    'max-minutes': limitText(limits.minutes),
    'max-cost': limitText(limits.cost),
  };
  const kept = given.filter(([name]) => !Object.hasOwn(now, name));
  const named = Object.entries(now).flatMap(([name, value]): GivenOption[] =>
    value === undefined ? [] : [[name, value]],
  );
  return [...kept, ...named];
}

function limitText(limit: number | null | undefined): string | undefined {
  return limit === null ? 'none' : limit?.toString();
}
