/** The inner door to the failure ledger. */
export {
  addFailure,
  addFix,
  addFromSession,
  ledgerReport,
  proposeFailures,
  readLedger,
  type LedgerPlace,
} from './ledger.ts';
export { rungs, type Failure, type LedgerReport, type Proposal, type Rung, type RungRow } from './types.ts';
