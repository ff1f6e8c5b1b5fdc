/** What an undo did, or would do, for people. */
import type { UndoReport } from '../../../harness/index.ts';
import { oneLine } from '../printable.ts';

const pathsShown = 100;
const unseenShown = 5;

export function undoLines(report: UndoReport, done: string): string[] {
  const { turns, changes, kept, repository, unseen, dryRun } = report;
  const which = turns.length === 1 ? `turn ${turns[0]}` : `${turns.length} turns (${turns.join(', ')})`;
  const isNothing = changes.length + repository.length === 0;
  const head = `${dryRun ? 'Would have' : 'Has'} ${done} ${isNothing ? 'nothing of ' : ''}${which}:`;
  const lines = changes.slice(0, pathsShown).map(({ path, before, after }) => {
    const what = before === null ? 'make   ' : after === null ? 'remove ' : 'change ';
    return `  ${what}${oneLine(path)}`;
  });
  const more = changes.length > pathsShown ? [`  and ${changes.length - pathsShown} more`] : [];
  const git = repository.map((part) => `  Git: ${oneLine(part)}`);
  const left = kept.map(({ path, why }) => `  left as it is: ${oneLine(path)} (${oneLine(why)})`);
  const unknown = unseen.slice(0, unseenShown).map(({ path, why }) => `  not kept: ${oneLine(path)} (${oneLine(why)})`);
  const further = unseen.length > unseenShown ? [`  and ${unseen.length - unseenShown} more that are not kept`] : [];
  const nothing = lines.length + git.length + left.length === 0 ? ['  nothing differs'] : [];
  return [head, ...lines, ...more, ...git, ...left, ...nothing, ...unknown, ...further];
}
