/** The edit engine: exact replacement on the bytes of a file, every other byte kept. */
export { applyEdit, type EditPlace } from './apply.ts';
