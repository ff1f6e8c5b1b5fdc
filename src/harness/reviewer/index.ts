/** The door of the reviewer: a second model that answers questions about calls; loaded only where the settings name one. */
export { withReviewer } from './approver.ts';
export { findReviewer } from './reviewer.ts';
