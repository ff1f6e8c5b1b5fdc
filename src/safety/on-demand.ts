/** What only some calls need is loaded when the first of them needs it. */
export type { Suspicion } from './content/index.ts';

/** What looks for orders to the model in data. */
export const loadContent = () => import('./content/index.ts');
