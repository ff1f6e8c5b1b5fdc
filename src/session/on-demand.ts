/** What a run never needs is loaded when somebody asks for it. */

/** The search over all sessions. */
export function loadSearch() {
  return import('./search/index.ts');
}

/** The reading of other harnesses' session files. */
export function loadImports() {
  return import('./import/index.ts');
}
