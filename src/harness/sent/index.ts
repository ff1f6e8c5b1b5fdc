/** The joint for what is sent: the next request in layers, where cached prefixes broke, and what other harnesses send. */
export { cacheReport, type CacheReport, type CacheRow, type CacheTotals } from './cache-report.ts';
export { auditCapture, type AuditedRequest, type CaptureAudit } from './capture-audit.ts';
export { startCapture, type Capture, type CaptureEnd, type CaptureOptions } from './capture.ts';
export { freshContext, sessionContext, type ContextReport } from './context-report.ts';
