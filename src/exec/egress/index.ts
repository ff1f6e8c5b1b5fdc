/** The inner door to egress. */
export { createEgress, type Egress, type Outlet } from './egress.ts';
export { relayFor } from './relay.ts';
export type { Connection, CredentialAlias, EgressLimits, EgressOptions } from './needs.ts';
