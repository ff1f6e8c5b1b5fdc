/** The joint for the plan of a session: its file, who may write it, and what a person is shown of it. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { LoadedSettings } from '../config/index.ts';
import { checksText, modeText } from '../context/index.ts';
import {
  acceptedPlan,
  modeAfterPlanning,
  planAcceptedCode,
  targetName,
  type Draft,
  type ReviewedPlan,
  type SetupData,
  type ToolSpec,
  type View,
} from '../core/index.ts';
import { createFiles, type Files } from '../exec/index.ts';

/** Tools that can make a file. */
const writers = ['write', 'apply_patch'];

/** What the model knows the plan by: the same in every session, so that caches hold over them. */
const planName = join('.reins', 'plan.md');

export interface PlanPlace {
  name: string;
  /** Its real path, in the session's own folder: the plan is no part of the workspace. */
  file: string;
}

/** Where the plan of a session goes whose folder is given by its real path; undefined where none can be written. */
export function planPlace(
  { settings }: Pick<LoadedSettings, 'settings'>,
  tools: readonly ToolSpec[],
  folder: string,
): PlanPlace | undefined {
  const canWrite = tools.some(({ name }) => writers.includes(name));
  return settings.mode === 'plan' && canWrite ? { name: planName, file: join(folder, 'plan.md') } : undefined;
}

/** The files of the workspace (its real path), and the plan among them under its name. */
export function withPlan(files: Files, { name, file }: PlanPlace, workspace: string): Files {
  const beside = createFiles({ workspace: dirname(file) });
  const of = (path: string): Files => (path === file ? beside : files);
  const names = [join(workspace, name), file];
  return {
    resolve: async (path, access) =>
      path !== '' && names.includes(resolve(workspace, path)) ? file : files.resolve(path, access),
    read: (path) => of(path).read(path),
    write: (path, ...rest) => of(path).write(path, ...rest),
    remove: (path, expected) => of(path).remove(path, expected),
    display: (path) => (path === file ? name : files.display(path)),
    clean: (path) => of(path).clean(path),
    list: (path) => files.list(path),
  };
}

/** Characters of a plan that a person is asked about; its file has the rest. */
const longestPlan = 50_000;

/** What a person reviews; undefined where the file holds nothing. `auto` is offered where the sandbox works. */
export async function reviewedPlan(
  { file }: PlanPlace,
  { auto, redact }: { auto: boolean; redact: (text: string) => string },
): Promise<ReviewedPlan | undefined> {
  const whole = await readFile(file, 'utf8').catch(() => ''); // One that is gone holds nothing.
  if (whole.trim() === '') return undefined;
  const text = redact(whole).toWellFormed();
  const shown =
    text.length <= longestPlan ? text : `${text.slice(0, longestPlan)}\n[cut; the whole plan is in ${file}]`;
  return { file, text: shown.trimEnd(), modes: auto ? ['ask', 'edit', 'auto'] : ['ask', 'edit'] };
}

/** The settings of a session that goes on: in the mode that its planning led to, unless the command line names one. */
export function inPlannedMode(loaded: LoadedSettings, view: View | undefined): LoadedSettings {
  const mode = loaded.origins['mode']?.layer === 'command-line' ? undefined : modeAfterPlanning(view?.planning);
  if (mode === undefined || mode === loaded.settings.mode) return loaded;
  return {
    ...loaded,
    settings: { ...loaded.settings, mode },
    origins: { ...loaded.origins, mode: { layer: 'command-line' } },
  };
}

/** What the model is told where a run begins with a plan that was accepted. */
export function acceptedNote(view: View, { settings: { mode, checks } }: LoadedSettings): Draft | undefined {
  const plan = acceptedPlan(view.planning);
  if (plan === undefined || mode === 'plan') return undefined;
  const now = `${modeText(mode)} ${checksText(checks === 'waived' ? checks : checks.map(({ command }) => command))}`;
  const text = `The user has accepted your plan, and mode plan is over. ${now} Carry the plan out now.\n\n${plan.text}`;
  return { kind: 'input', data: { from: 'harness', code: planAcceptedCode, text, pinned: true } };
}

/**
 * A plan is carried out after the very words that it was made with, as far as nothing but the mode is other now: the note says that, and
 * what a provider has cached of the conversation holds.
 */
export function carriedOn(setup: SetupData, view: View): SetupData {
  const { setup: earlier } = view;
  if (earlier === undefined || setup.mode === 'plan' || acceptedPlan(view.planning) === undefined) return setup;
  if (targetName(earlier) !== targetName(setup) || !isDeepStrictEqual(beside(earlier), beside(setup))) return setup;
  return { ...setup, system: earlier.system };
}

/** What stands in requests besides the words about the mode. */
function beside({ tools, system, layers = [], instructions }: SetupData) {
  return { tools, layers, instructions, system: system.filter((_, index) => layers[index] !== 'standing') };
}
