/** The difference between two texts: settings that were trusted and those of now, versions of notes. */

/** Milliseconds; what takes longer was made to take long. */
const patience = 1_000;

/** Unified diff with all of the changes; empty where the two are the same text. */
export async function differenceBetween(old: string, now: string, names = ['before', 'after']): Promise<string> {
  const { structuredPatch, formatPatch } = await import('diff');
  if (old === now) return '';
  const [first = '', second = ''] = names;
  const patch = structuredPatch(first, second, old, now, '', '', { context: 3, timeout: patience });
  if (patch === undefined) return 'The two differ in too much to compare them.\n';
  // Its first line is only a rule.
  return formatPatch(patch).replace(/^=+\n/, '');
}

export function differenceOf(before: Buffer, after: Buffer): Promise<string> {
  return differenceBetween(before.toString('utf8'), after.toString('utf8'), ['trusted', 'now']);
}
