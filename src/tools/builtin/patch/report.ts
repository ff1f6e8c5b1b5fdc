/** What the model is told of a patch that was applied, or that was stopped in the middle. */
import type { CallOutcome, Change } from '../../../core/index.ts';
import { excerptOf, linesOfDocument, type EditPlace } from '../../edits/index.ts';
import type { WroteFact } from '../../known.ts';
import { count } from '../../text/index.ts';
import type { Commit } from './commit.ts';
import type { FilePlan } from './plan.ts';

/** Lines of all files together that are shown, and of one file at least. */
const linesShown = 80;
const linesOfFile = 6;
const around = 2;
const aroundForeign = 10;

export function applied(plans: readonly FilePlan[], hashes: ReadonlyMap<string, string>): CallOutcome {
  const limit = Math.max(linesOfFile, Math.floor(linesShown / plans.length));
  const wrote: WroteFact[] = [];
  const gone: string[] = [];
  const changes: Change[] = [];
  for (const plan of plans) {
    const target = plan.kind === 'update' ? (plan.target?.real ?? plan.real) : plan.real;
    const after = hashes.get(target) ?? null;
    const before = plan.kind === 'add' ? null : plan.state.hash;
    if (plan.kind === 'delete' || target !== plan.real) {
      changes.push({ path: plan.real, before, after: null });
      gone.push(plan.real);
    }
    if (after === null) continue;
    changes.push({ path: target, before: target === plan.real ? before : null, after });
    const known = plan.kind === 'update' ? plan.known : 'whole';
    if (known !== 'nothing') wrote.push({ path: target, hash: after, whole: known === 'whole' });
  }
  return {
    outcome: 'ok',
    text: plans.map((plan) => describe(plan, limit)).join('\n'),
    changes,
    facts: { wrote, gone },
  };
}

function describe(plan: FilePlan, limit: number): string {
  if (plan.kind === 'add') return `Added ${plan.name} (${count(plan.lines, 'line')}).`;
  if (plan.kind === 'delete') return `Deleted ${plan.name}.`;
  const { name, target, edited, isForeign } = plan;
  const moved = target === undefined ? [] : [`moved to ${target.name}`];
  const what = edited === undefined ? moved : [...moved, ...placesText(edited.places)];
  const head = `Updated ${name}: ${what.join('; ')}.`;
  if (edited === undefined) return head;
  const note = isForeign
    ? ['It had been changed by something else since it was read; around the changes it is now:']
    : [];
  const options = { around: isForeign ? aroundForeign : around, limit };
  return [head, ...note, ...excerptOf(linesOfDocument(edited.document).texts, edited.places, options)].join('\n');
}

function placesText(places: readonly EditPlace[]): string[] {
  const [only] = places;
  if (only === undefined || places.length > 1) return [count(places.length, 'place')];
  const { before, after } = only;
  const [from, to] = before;
  const now = count(after[1] - after[0] + 1, 'line');
  if (to < from) return [`${now} added ${from === 1 ? 'at the start' : `after line ${from - 1}`}`];
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  return [after[1] < after[0] ? `${lines} taken out` : `${lines} replaced by ${now}`];
}

/** The state of each file, since some of them may not be what they were. */
export function stopped({ failed, restored, remade, left }: Extract<Commit, { failed: unknown }>): CallOutcome {
  const lines = [`${failed.name}: ${failed.why}. The patch was stopped there.`];
  if (restored.length > 0) {
    lines.push(`Written before and put back as it was: ${restored.join(', ')} (folders that were made may remain).`);
  }
  if (remade.length > 0) {
    lines.push(`Removed before and made anew, with default permissions: ${remade.join(', ')}.`);
  }
  for (const { name, why, change } of left) {
    const state = change.after === null ? 'is gone' : 'isn’t what it was';
    lines.push(`NOT put back: ${name} ${state}, since ${why}.`);
  }
  lines.push(
    left.length === 0 ? 'No content is changed. Look at it again.' : 'All other files are unchanged. Read these again.',
  );
  return { outcome: 'error', text: lines.join('\n'), changes: left.map(({ change }) => change) };
}
