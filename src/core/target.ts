/** Models by name: the one of the setup and those of its routes. */
import type { Source } from './messages.ts';
import type { Role, SetupData, Target } from './setup.ts';

/** `provider/model`; older logs name no provider. */
export function targetName({ provider, model }: { provider?: string; model: string }): string {
  return provider === undefined ? model : `${provider}/${model}`;
}

export function sourceOf({ provider, wire, model }: Target): Source {
  return { provider, wire, model };
}

/** Whether what one gave may go back to the other. */
export function isSameSource(first: Source, second: Source): boolean {
  const alike = first.wire === second.wire && first.model === second.model;
  return alike && (first.provider ?? second.provider) === (second.provider ?? first.provider);
}

/**
 * The model of the setup (where no name is given) or of one of its routes; undefined when there is none of that name. The same
 * model may be there once more for a role, with settings of its own.
 */
export function targetNamed(setup: SetupData, name: string | undefined, role?: Role): Target | undefined {
  const forRole = setup.routes?.find((route) => targetName(route) === name && route.when.role === role);
  if (role !== undefined && forRole !== undefined) return forRole;
  if (name === undefined || name === targetName(setup)) return setup;
  return setup.routes?.find((route) => targetName(route) === name);
}
