import type { Rule } from '../decide.ts';

/** A session that has stopped stays so until something new comes in. */
export const stopped: Rule = (view) => {
  if (view.stop === undefined) return undefined;
  const { reason, detail, code } = view.stop;
  return { do: 'stop', reason, detail, ...(code === undefined ? {} : { code }) };
};
