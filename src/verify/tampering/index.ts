/** The door of tampering: what defines a check, and what was done to it. */
export { definersOf } from './definers.ts';
export { onceEach, redefinedFor, redefinedOf } from './redefined.ts';
export { watchesOf } from './watches.ts';
