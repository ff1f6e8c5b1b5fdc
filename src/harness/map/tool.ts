/** The joint between the map and the tool by which a model asks for one. */
import { relative } from 'node:path';
import { plural } from '../../core/index.ts';
import { isWithin } from '../../exec/index.ts';
import type { Mapper } from '../../tools/index.ts';
import type { MadeMap } from './make-map.ts';
import type { MapPlace } from './sources.ts';

/** What the session has so far: the task in the words of people, and files that were read or written, by real path. */
export interface MapFocus {
  said: () => readonly string[];
  seen: () => Iterable<string>;
}

export function mapperFor(place: MapPlace, focus: MapFocus): Mapper {
  const { tokens: usual } = place.loaded.settings.map;
  return {
    async map({ query = '', paths, tokens = usual }, signal) {
      const { makeMap } = await import('./make-map.ts');
      const isAsked = query.trim() !== '' || paths.length > 0;
      const known = [...focus.seen()].filter((path) => isWithin(path, place.workspace));
      const question = {
        paths,
        tokens,
        known: known.map((path) => relative(place.workspace, path)),
        // Without a question the map is about the task.
        ...(isAsked ? { words: query.split(/\s+/) } : { task: focus.said().join('\n') }),
      };
      return textOf(await makeMap(place, question, signal));
    },
  };
}

function textOf({ text, symbols, paths, all, leftOut, incomplete }: MadeMap): string {
  const files = leftOut.reduce((sum, each) => sum + each.files, 0);
  const notes = [
    ...(files > 0 ? [`${plural(files, 'file')} left out (${leftOut.map(({ why }) => why).join(', ')})`] : []),
    ...(incomplete === undefined ? [] : [`not all was found: ${incomplete}`]),
  ];
  const rest = notes.length === 0 ? '' : `; ${notes.join('; ')}`;
  if (all.symbols === 0) return `There is no source here in a language that the map knows${rest}.`;
  return `${text}\n[${symbols} of ${all.symbols} symbols, ${paths.length} of ${all.files} files${rest}.]`.trimStart();
}
