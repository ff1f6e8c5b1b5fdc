/** Text and bytes: encodings, line ends, what can be shown, and what is nearly the same. */
export * from './encoding.ts';
export { isWide, wideText } from './wide.ts';
export * from './lines.ts';
export * from './marks.ts';
export * from './nearest.ts';
export * from './unseen.ts';
export * from './visible.ts';
