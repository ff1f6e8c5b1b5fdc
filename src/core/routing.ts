/** Whom the next request goes to: a pure function of the setup, of what failed and of what was spent. */
import { spent } from './ledger.ts';
import type { FailureClass, Role, Route, RouteCondition, Target } from './setup.ts';
import { targetName } from './target.ts';
import type { FailureState, View } from './view.ts';

export interface Routed {
  target: Target;
  /** `provider/model`. */
  name: string;
  /** Why it isn't the setup's own model; absent when it is. */
  route?: { to: string; from?: string; role?: Role; because: string };
}

/** Failures that another model may not have: a request that is wrong, or too large, would mostly be so elsewhere. */
const passing: readonly FailureClass[] = [
  ...(['retryable', 'wait', 'broken-stream', 'unreachable'] as const),
  ...(['auth', 'quota', 'protocol'] as const),
];

/** What a request in the ordinary course of a run is for. */
export function roleOf(view: View): Role {
  return view.setup?.mode === 'plan' ? 'plan' : 'work';
}

/**
 * The model for a request of a role: the first route whose role, effort and cost hold, else the setup's model. From there on the
 * chain is followed past every model that has failed for good in this run. Undefined when none is left.
 */
export function routed(view: View, role: Role = roleOf(view)): Routed | undefined {
  const { setup } = view;
  if (setup === undefined) return undefined;
  const routes = setup.routes ?? [];
  const chosen = routes.find((route) => !isFallback(route.when) && holds(view, route.when, role));
  const own: Routed = { target: setup, name: targetName(setup) };
  const first = chosen === undefined ? own : byCondition(chosen, role);
  if (!isDown(view, first.name)) return first;
  // Behind a model that was chosen for something stands the ordinary one.
  const chain = chosen === undefined ? routes : [{ ...setup, when: {} }, ...routes];
  return fallback(view, chain, first.name, role);
}

function byCondition(route: Route, role: Role): Routed {
  const { effort, costAbove } = route.when;
  const reasons = [
    ...(route.when.role === undefined ? [] : [`the role is ${role}`]),
    ...(effort === undefined ? [] : [`the effort is ${effort.join(' or ')}`]),
    ...(costAbove === undefined ? [] : [`${costAbove} dollars or more are spent`]),
  ];
  const to = targetName(route);
  return { target: route, name: to, route: { to, role, because: reasons.join(', ') } };
}

/** The first model in the chain that takes the failure before it over and hasn't failed itself. */
function fallback(view: View, chain: readonly Route[], failed: string, role: Role): Routed | undefined {
  let from = failed;
  for (const route of chain) {
    const to = targetName(route);
    const failure = view.down.get(from) ?? view.failures.get(from);
    if (failure === undefined || to === from || !isFallback(route.when) || !holds(view, route.when, role)) continue;
    if (!view.down.has(from) && !takesOver(route.when, failure)) continue;
    if (!kindsOf(route.when).includes(failure.data.class)) continue;
    const because = `${from} failed: ${failure.data.code}`;
    if (!isDown(view, to)) return { target: route, name: to, route: { to, from, role, because } };
    from = to;
  }
  return undefined;
}

/** A model that isn't to be asked again in this run: it failed for good, or often enough for a route that waits for that. */
function isDown(view: View, name: string): boolean {
  if (view.down.has(name)) return true;
  const failure = view.failures.get(name);
  if (failure === undefined || failure.data.class === 'cancelled') return false;
  if (failure.data.retryAt === undefined) return true;
  return view.setup?.routes?.some((route) => takesOver(route.when, failure)) ?? false;
}

function takesOver(when: RouteCondition, { data, attempts }: FailureState): boolean {
  if (!isFallback(when) || !kindsOf(when).includes(data.class)) return false;
  return data.retryAt === undefined || attempts >= (when.tries ?? Infinity);
}

const kindsOf = ({ failure }: RouteCondition): readonly FailureClass[] => failure ?? passing;

function isFallback({ failure, tries, role, effort, costAbove }: RouteCondition): boolean {
  if (failure !== undefined || tries !== undefined) return true;
  return role === undefined && effort === undefined && costAbove === undefined;
}

function holds(view: View, { role: wanted, effort, costAbove }: RouteCondition, role: Role): boolean {
  if (wanted !== undefined && wanted !== role) return false;
  if (effort !== undefined && !effort.includes(view.setup?.settings.effort ?? '')) return false;
  return costAbove === undefined || spent(view.ledger) >= costAbove;
}
