/** The joint between the rules of other harnesses, in files that the user names, and the rules in force. */
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { readSettingsFile, type LoadedSettings } from '../config/index.ts';
import { importRules, type Imported } from '../safety/index.ts';

type Entry = LoadedSettings['entries'][number];
type Notice = LoadedSettings['notices'][number];

const mostShown = 10;

/**
 * The settings with what the files of `importRules` hold. What lies in the workspace may be anybody's: of it only what tightens is
 * taken. `workspace`: its real path.
 */
export async function withImportedRules(loaded: LoadedSettings, workspace: string): Promise<LoadedSettings> {
  const { importRules: files } = loaded.settings;
  if (files.length === 0) return loaded;
  const entries: Entry[] = [];
  const notices: Notice[] = [];
  for (const named of files) {
    const file = placeOf(named, loaded.places.home, workspace);
    const content = readSettingsFile(file);
    if (content === undefined || 'unreadable' in content) {
      const why = content === undefined ? 'There is no such file.' : content.unreadable;
      notices.push(warning(`No rules were imported from ${file}: ${why}`));
      continue;
    }
    const imported = await importRules(content.bytes.toString('utf8'), rootOf(file, workspace));
    const isInside = liesWithin(file, workspace);
    entries.push(...entriesOf(imported, file, isInside));
    const leftOut = leftOutText(imported, isInside);
    if (leftOut !== undefined) notices.push(warning(`Of ${file} these rules were not imported: ${leftOut}`));
  }
  const rules = [...loaded.settings.rules, ...entries.map(({ value }) => value as never)];
  return {
    ...loaded,
    settings: { ...loaded.settings, rules },
    entries: [...loaded.entries, ...entries],
    notices: [...loaded.notices, ...notices],
  };
}

function placeOf(named: string, home: string, workspace: string): string {
  return named.startsWith('~/') ? join(home, named.slice(2)) : resolve(workspace, named);
}

/** By its name, or by where links lead: on either way somebody who writes in the workspace may have made it. */
function liesWithin(file: string, workspace: string): boolean {
  return isWithin(file, workspace) || isWithin(realpathSync(file), workspace);
}

function isWithin(file: string, workspace: string): boolean {
  const path = relative(workspace, file);
  return path !== '' && path !== '..' && !path.startsWith('../') && !isAbsolute(path);
}

/** What a leading slash in a pattern of the file means: the folder that holds the folder of settings. */
function rootOf(file: string, workspace: string): string {
  const root = dirname(dirname(file));
  return root === workspace ? '' : isWithin(root, workspace) ? relative(workspace, root) : root;
}

function entriesOf({ rules }: Imported, file: string, isInside: boolean): Entry[] {
  return rules
    .filter(({ rule }) => !isInside || rule.effect !== 'allow')
    .map(({ line, rule }) => ({
      path: ['rules'],
      value: JSON.parse(JSON.stringify(rule)) as Entry['value'],
      origin: { layer: isInside ? 'project' : 'user', file, line },
    }));
}

function leftOutText({ rules, leftOut }: Imported, isInside: boolean): string | undefined {
  const widening = isInside ? rules.filter(({ rule }) => rule.effect === 'allow') : [];
  const all = [
    ...leftOut.map(({ line, what, why }) => `line ${line}: ${what.split('\n')[0]} (${why})`),
    ...widening.map(
      ({ line, rule }) =>
        `line ${line}: allow ${rule.command ?? rule.paths ?? rule.tool} (a file of the workspace can only tighten)`,
    ),
  ];
  if (all.length === 0) return undefined;
  const more = all.length > mostShown ? [`and ${all.length - mostShown} more`] : [];
  return `${[...all.slice(0, mostShown), ...more].join('; ')}.`;
}

function warning(text: string): Notice {
  return { code: 'rules-not-imported', level: 'warning', text };
}
