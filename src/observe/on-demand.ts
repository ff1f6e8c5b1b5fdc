/** What a run never needs is loaded when somebody asks for it. */

/** The exports of a session. */
export function loadExports() {
  return import('./export/index.ts');
}
