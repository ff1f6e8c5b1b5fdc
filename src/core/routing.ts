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
 * chain is followed past every model that has failed. Undefined when none is left that may be asked.
 */
export function routed(view: View, role: Role = roleOf(view)): Routed | undefined {
  const { setup } = view;
  if (setup === undefined) return undefined;
  const routes = setup.routes ?? [];
  const chosen = routes.find((route) => !isFallback(route.when) && holds(view, route.when, role));
  const own: Routed = { target: setup, name: targetName(setup) };
  // Behind a model that was chosen for something stands the ordinary one.
  if (chosen !== undefined) return along(view, [{ ...setup, when: {} }, ...routes], byCondition(chosen, role), role);
  return along(view, routes, own, role);
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

/**
 * From the first model on: each route that takes the failure before it over is next. Where all that are left have failed, the last
 * that may still be tried again is: waiting for it is better than giving up.
 */
function along(view: View, chain: readonly Route[], first: Routed, role: Role): Routed | undefined {
  let at = first;
  let patient: Routed | undefined;
  for (const route of chain) {
    const failure = lastFailure(view, at.name);
    if (failure === undefined) return at;
    if (failure.data.retryAt !== undefined) patient = at;
    const to = targetName(route);
    if (to === at.name || !holds(view, route.when, role) || !takesOver(view, route.when, failure)) continue;
    const because = `${at.name} failed: ${failure.data.code}`;
    at = { target: route, name: to, route: { to, from: at.name, role, because } };
  }
  const failure = lastFailure(view, at.name);
  return failure === undefined || failure.data.retryAt !== undefined ? at : patient;
}

/** How a model failed since the last reply, or how it did when a route left it in this run; undefined where neither is so. */
export function lastFailure(view: View, name: string): FailureState | undefined {
  const failure = view.failures.get(name);
  return failure === undefined || failure.data.class === 'cancelled' ? view.down.get(name) : failure;
}

/** A failure that no further try is due for, or that was left already, or that came often enough for a route that waits for so many. */
function takesOver(view: View, when: RouteCondition, { name, data, attempts }: FailureState): boolean {
  if (!isFallback(when) || !(when.failure ?? passing).includes(data.class)) return false;
  return data.retryAt === undefined || view.down.has(name) || attempts >= (when.tries ?? Infinity);
}

function isFallback({ failure, tries, role, effort, costAbove }: RouteCondition): boolean {
  if (failure !== undefined || tries !== undefined) return true;
  return role === undefined && effort === undefined && costAbove === undefined;
}

function holds(view: View, { role: wanted, effort, costAbove }: RouteCondition, role: Role): boolean {
  if (wanted !== undefined && wanted !== role) return false;
  if (effort !== undefined && !effort.includes(view.setup?.settings.effort ?? '')) return false;
  return costAbove === undefined || spent(view.ledger) >= costAbove;
}
