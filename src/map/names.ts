/** The list of names that files mention, each at one place. */
import { mentionOf } from './graph.ts';
import type { Index, IndexedFile } from './index-file.ts';
import type { Definition } from './symbols.ts';

export class Names {
  readonly list: string[];
  readonly #places = new Map<string, number>();

  constructor(list: readonly string[]) {
    this.list = [...list];
    list.forEach((name, place) => this.#places.set(name, place));
  }

  placeOf(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    this.#places.set(name, this.list.length);
    return this.list.push(name) - 1;
  }

  /** `references`: parted by line feeds. */
  placed(path: string, definitions: readonly Definition[], references: string) {
    return {
      definitions: definitions.map((each) => ({ ...each, place: this.placeOf(mentionOf(path, each)) })),
      references: Uint32Array.from(references === '' ? [] : references.split('\n'), (name) => this.placeOf(name)),
    };
  }
}

/** The same without names that nobody mentions any more. */
export function compact({ names, files }: Index): Index {
  const places = new Uint32Array(names.length);
  const kept: string[] = [];
  const placeOf = (place: number): number => {
    if (places[place] === 0) places[place] = kept.push(names[place] ?? '');
    return (places[place] ?? 1) - 1;
  };
  const moved = files.map((file): IndexedFile => ({
    ...file,
    definitions: file.definitions.map((each) => ({ ...each, place: placeOf(each.place) })),
    references: file.references.map(placeOf),
  }));
  return { names: kept, files: moved };
}
