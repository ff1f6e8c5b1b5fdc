/** The difference between settings that were trusted and those of now. */

/** Milliseconds; what takes longer was made to take long. */
const patience = 1_000;

/** Unified diff with all of the changes; empty where the two are the same text. */
export async function differenceOf(before: Buffer, after: Buffer): Promise<string> {
  const { structuredPatch, formatPatch } = await import('diff');
  const [old, now] = [before.toString('utf8'), after.toString('utf8')];
  if (old === now) return '';
  const patch = structuredPatch('trusted', 'now', old, now, '', '', { context: 3, timeout: patience });
  if (patch === undefined) return 'The two differ in too much to compare them.\n';
  // Its first line is only a rule.
  return formatPatch(patch).replace(/^=+\n/, '');
}
