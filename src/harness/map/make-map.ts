/** Makes the map of a workspace, without secrets. */
import { loadMap, type Inventory, type Question, type RepositoryMap, type Why } from '../../map/index.ts';
import { sourcesFor, type MapPlace } from './sources.ts';

export interface MadeMap extends RepositoryMap {
  /** Why files are in no map, with how many and a few of them; of those that may not be read there are no names. */
  leftOut: { why: Why | 'many'; files: number; some: string[] }[];
  /** Why not all files were found, where that is so. */
  incomplete?: string;
  /** Files that were looked at anew. */
  anew: number;
}

/** Files of one kind that are named. */
const mostNamed = 3;

/** `without`: further paths that may not be in it. */
export async function makeMap(
  place: MapPlace,
  request: Question & { tokens: number },
  signal: AbortSignal,
  without: ReadonlySet<string> = new Set(),
): Promise<MadeMap> {
  const sources = await sourcesFor(place);
  const { takeInventory, mapOf } = await loadMap();
  const inventory = await takeInventory(sources, signal);
  const mayShow = (path: string): boolean => !without.has(path) && sources.mayRead(path);
  const map = mapOf(inventory, { ...request, mayShow });
  const { incomplete } = inventory.listed;
  return {
    ...map,
    text: place.secrets.redact(map.text),
    leftOut: leftOutOf(inventory),
    anew: inventory.anew,
    ...(incomplete !== undefined && { incomplete }),
  };
}

function leftOutOf({ leftOut, denied, listed }: Inventory): MadeMap['leftOut'] {
  const byWhy = new Map<Why, string[]>();
  for (const { path, why } of leftOut) byWhy.set(why, [...(byWhy.get(why) ?? []), path]);
  const told = [...byWhy].map(([why, paths]) => ({
    why,
    files: paths.length,
    some: paths.toSorted().slice(0, mostNamed),
  }));
  const beyond = listed.total - listed.paths.length;
  return [
    ...told,
    ...(denied > 0 ? [{ why: 'denied' as const, files: denied, some: [] }] : []),
    ...(beyond > 0 ? [{ why: 'many' as const, files: beyond, some: [] }] : []),
  ];
}
