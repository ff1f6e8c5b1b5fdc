/** The inner door to handoffs. */
export { sessionHandoff, taskWithHandoff } from './session.ts';
export type { Attempt, Handoff, OpenCheck, Risk, RiskKind } from './types.ts';
