/** What defines a check and isn't what it was when the task was given. */
import { coversPath, type Check, type DefinerChange, type View } from '../../core/index.ts';
import { commandLineOf } from '../command-words.ts';
import type { Git } from '../needs.ts';
import { testFiles } from '../programs/index.ts';
import { fileAtStart, textNow } from './at-start.ts';
import { changedDefiners, part, searchFrom, withoutPart } from './definers.ts';
import { changedSince, shadowsOf, type ProgramPlaces } from './installed.ts';
import { checkPart, isMixed } from './parts.ts';
import { watchesOf, type Watches } from './watches.ts';
import { weakeningOf } from './weakening.ts';

interface Where extends ProgramPlaces {
  git: Git;
}

/** Of a check that was fixed when the run was set up. */
export async function redefinedOf(check: Check, view: View, where: Where): Promise<DefinerChange[]> {
  const { workspace } = where;
  const isNew = (path: string): boolean => check.definers.every((definer) => definer.path !== path);
  const shadows = shadowsOf(searchFrom(check.command, workspace).commands, where).filter(isNew);
  const definers = [...changedDefiners(check.definers, workspace), ...shadows];
  const named = await Promise.all(definers.map((path) => describe(path, view, where)));
  const watched = check.watches === undefined ? [] : await watchedChanges(check.watches, view, where);
  return onceEach([...named, ...watched]);
}

/** Of a command that nobody had fixed: the task's own changes tell. */
export async function redefinedFor(command: string, view: View, where: Where): Promise<DefinerChange[]> {
  const { workspace } = where;
  const { found, commands } = searchFrom(command, workspace);
  const changed = [...found].filter((path) => view.ledger.task.changed.has(withoutPart(path)));
  const named = await Promise.all(
    changed.map(async (path) => ((await isAsBefore(path, view, where)) ? undefined : describe(path, view, where))),
  );
  const watched = await watchedChanges(watchesOf(command, workspace), view, where);
  const programs = changedSince(commands, { since: view.ledger.task.since, ran: commandsRun(view) }, where);
  const replaced = await Promise.all(programs.map((path) => describe(path, view, where)));
  return onceEach([...named.filter((change) => change !== undefined), ...watched, ...replaced]);
}

/** The command lines that the model ran for the task. */
function commandsRun({ ledger, transcript }: View): string[] {
  return ledger.task.commands.flatMap(({ call }) => commandLineOf(transcript.calls.get(call)) ?? []);
}

async function watchedChanges(watches: Watches, view: View, where: Where): Promise<DefinerChange[]> {
  const { changed } = view.ledger.task;
  const changes = [...changed].map(async (path): Promise<DefinerChange | undefined> => {
    const isTest = coversPath(watches.tests, path) && watches.tests.length > 0;
    const isSetting = watches.configuration.length > 0 && coversPath(watches.configuration, path);
    const isPackage =
      isMixed(path) && path.endsWith('package.json') && watches.tests.length + watches.configuration.length > 0;
    if (!isTest && !isSetting && !isPackage) return undefined;
    return (await isAsBefore(path, view, where, isSetting)) ? undefined : describe(path, view, where);
  });
  return (await Promise.all(changes)).filter((change) => change !== undefined);
}

/** A test that is new proves more; a setting that is new may prove less. */
async function isAsBefore(path: string, { ledger }: View, where: Where, mayNotAppear = false): Promise<boolean> {
  const file = withoutPart(path);
  const before = await fileAtStart(file, ledger.task.baseline, where);
  const now = textNow(file, where.workspace);
  if (before.was === 'absent') return !mayNotAppear || now === null;
  if (before.was === 'other' || now === null) return false;
  if (path.endsWith(part)) return scriptsText(before.text) === scriptsText(now);
  return checkPart(path, before.text) === checkPart(path, now);
}

async function describe(path: string, { ledger }: View, where: Where): Promise<DefinerChange> {
  const file = withoutPart(path);
  const kind = coversPath(testFiles, file) ? 'test' : 'configuration';
  const now = textNow(file, where.workspace);
  const before = await fileAtStart(file, ledger.task.baseline, where);
  const how = before.was === 'text' ? weakeningOf(before.text, now, kind) : now === null ? 'deleted' : undefined;
  return { path, kind, ...(how !== undefined && { how }) };
}

function scriptsText(text: string): string {
  try {
    return JSON.stringify((JSON.parse(text) as { scripts?: unknown }).scripts ?? null);
  } catch {
    return text;
  }
}

/** One entry a path, sorted. */
export function onceEach(changes: readonly DefinerChange[]): DefinerChange[] {
  const byPath = new Map(changes.map((change) => [change.path, change]));
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
