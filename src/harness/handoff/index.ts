/** The inner door to handoffs. */
export { attemptsIn } from './attempts.ts';
export { sessionHandoff, taskWithHandoff } from './session.ts';
export type { Attempt, Handoff, OpenCheck, Risk, RiskKind } from './types.ts';
