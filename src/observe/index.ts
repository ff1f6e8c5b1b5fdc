/** The door of observe. */
export { labelOf, type Label } from './label.ts';
