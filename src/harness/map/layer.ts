/** The map in the prompt of a run: made once, when the session begins, and ranked by its task. */
import { loadMapLayer } from '../../context/index.ts';
import type { EventData, View } from '../../core/index.ts';
import { loadContent } from '../../safety/index.ts';
import { shownAsData } from '../../tools/index.ts';
import type { MapPlace } from './sources.ts';

export interface MapLayerParts extends MapPlace {
  /** What will be said first, where it is known. */
  task?: string | undefined;
  view: Pick<View, 'setup'>;
}

export interface MapLayer {
  layer?: string | undefined;
  notices: EventData['notice'][];
}

/** Milliseconds that a session waits for it. */
const timeLimit = 10_000;
/** Files that are left out for their words; of a repository with more there is no map. */
const mostLeftOut = 10;

/** What a session began with stays, also where it was nothing. */
export async function mapLayerFor(parts: MapLayerParts): Promise<MapLayer> {
  const { loaded, view, task = '' } = parts;
  const { setup } = view;
  if (setup !== undefined) return { layer: setup.system[setup.layers?.indexOf('map') ?? -1], notices: [] };
  const { makeMap } = await import('./make-map.ts');
  const [{ suspicionsIn }, { mapLayer }] = await Promise.all([loadContent(), loadMapLayer()]);
  const without = new Map<string, EventData['notice']>();
  while (without.size <= mostLeftOut) {
    const question = { task, tokens: loaded.settings.map.tokens };
    const { text } = await makeMap(
      { ...parts, timeLimit },
      question,
      new AbortController().signal,
      new Set(without.keys()),
    );
    if (text === '') break;
    const [suspicion] = suspicionsIn(text);
    if (suspicion === undefined) return { layer: mapLayer(shownAsData(text)), notices: [...without.values()] };
    const path = pathAt(text, suspicion.line);
    without.set(path, leftOut(path));
  }
  return { notices: [...without.values()] };
}

/** The file that a line of a map is about. */
function pathAt(text: string, line: number): string {
  const before = text.split('\n').slice(0, line);
  return before.findLast((each) => !each.startsWith(' ')) ?? '';
}

/** It stands in the prompt, so what would try to take the model over isn’t let in. */
function leftOut(path: string): EventData['notice'] {
  const text = `${path} stays out of the map in the prompt: its names hold words like those that try to take a model over.`;
  return { code: 'map-left-out', level: 'warning', text, data: { path } };
}
