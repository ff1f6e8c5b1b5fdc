/** Settings as a flat list of values, each with its place and its origin: layers are merged entry by entry. */
import type { Json, JsonObject } from '../core/index.ts';
import type { FileSettings } from './schema.ts';
import type { Origin, Overrides } from './settings.ts';

export interface Entry {
  path: string[];
  value: Json;
  origin: Origin;
}

/** Keys whose lists add up over the layers; everything else is replaced by the higher layer. */
const lists = new Set(['allow', 'ask', 'deny', 'rules']);

export const isList = (entry: Entry): boolean => lists.has(entry.path[0] ?? '');

/** One entry for each value; prices, bodies and the lists of checks and routes are one value each, the items of shape lists one each. */
export function entriesOf(values: FileSettings | Overrides, originOf: (path: string[]) => Origin): Entry[] {
  const entries: Entry[] = [];
  const visit = (path: string[], value: Json | undefined): void => {
    if (value === undefined || path[0] === '$schema') return;
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isGroup && !isOneValue(path, value)) {
      for (const [name, inner] of Object.entries(value)) visit([...path, name], inner);
      return;
    }
    if (Array.isArray(value) && lists.has(path[0] ?? '')) {
      value.forEach((item, index) => entries.push({ path, value: item, origin: originOf([...path, String(index)]) }));
      return;
    }
    entries.push({ path, value, origin: originOf(path) });
  };
  visit([], values as Json);
  return entries;
}

/** The prices of a model and the further keys of a body are never mixed from several layers; a provider or model that is only named is named. */
function isOneValue(path: string[], group: JsonObject): boolean {
  const [first = '', , inner] = path;
  if (first === 'rates') return path.length === 2;
  const isName = path.length === 2 ? ['providers', 'models'].includes(first) : path.length === 4 && inner === 'models';
  if (isName && Object.keys(group).length === 0) return true;
  return path.length > 2 && ['rates', 'body'].includes(path.at(-1) ?? '');
}

/** The layers, lowest first, in one list: a later entry replaces an earlier one with the same path, items of lists add up. */
export function merge(layers: Entry[][]): Entry[] {
  const merged = new Map<string, Entry>();
  for (const entry of layers.flat()) {
    const key = JSON.stringify(isList(entry) ? [...entry.path, entry.value] : entry.path);
    // What a lower layer has already listed keeps its place and its origin.
    if (!isList(entry) || !merged.has(key)) merged.set(key, entry);
  }
  return [...merged.values()];
}

/** Writes the entries into a copy of `base`, which has all groups and lists already. */
export function assemble(base: JsonObject, entries: Entry[]): JsonObject {
  const root = structuredClone(base);
  for (const entry of entries) {
    const name = entry.path.at(-1) ?? '';
    const group = entry.path.slice(0, -1).reduce(groupOf, root);
    if (isList(entry)) (group[name] as Json[]).push(entry.value);
    // A copy: what a higher layer adds to a group must not reach the entry.
    else define(group, name, structuredClone(entry.value));
  }
  return root;
}

function groupOf(parent: JsonObject, name: string): JsonObject {
  if (!Object.hasOwn(parent, name)) define(parent, name, {});
  return parent[name] as JsonObject;
}

/** Sets a key of its own even where the name has a meaning for JavaScript (`__proto__`). */
function define(target: JsonObject, name: string, value: Json): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
