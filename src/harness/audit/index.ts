/** The inner door to the audit. */
export { auditSession, type AuditOptions, type SessionAudit } from './audit.ts';
export type { AuditEntry, CallEntry } from './entry.ts';
