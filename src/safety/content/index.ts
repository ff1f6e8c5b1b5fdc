/** The inner door to untrusted content. */
export { suspicionsIn, type Suspicion } from './suspicions.ts';
