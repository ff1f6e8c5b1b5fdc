/** What only some calls need is loaded when the first of them needs it. */
/** What looks for orders to the model in data. */
export const loadContent = () => import('./content/index.ts');
