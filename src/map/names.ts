/** The list of names that files mention, each at one place. Places count from 1. */
import type { Index, IndexedFile } from './indexed-file.ts';
import { mentionsOf } from './mentions.ts';
import { readDefinitions } from './symbols.ts';

export class Names {
  readonly list: string[];
  readonly #places = new Map<string, number>();

  constructor(list: readonly string[]) {
    this.list = [...list];
    list.forEach((name, index) => this.#places.set(name, index + 1));
  }

  placeOf(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = this.list.push(name);
    this.#places.set(name, place);
    return place;
  }

  /** `text`: definitions as they are written down; `references`: parted by line feeds. */
  placed(path: string, text: string, references: string): Pick<IndexedFile, 'mentioned' | 'references'> {
    const mentions = mentionsOf(path, readDefinitions(text));
    return {
      mentioned: Uint32Array.from(mentions, (mention) => (mention === undefined ? 0 : this.placeOf(mention))),
      references: Uint32Array.from(references === '' ? [] : references.split('\n'), (name) => this.placeOf(name)),
    };
  }
}

/** The same without names that nobody mentions any more. */
export function compact({ names, files }: Index): Index {
  const places = new Uint32Array(names.length + 1);
  const kept: string[] = [];
  const placeOf = (place: number): number => {
    if (place > 0 && places[place] === 0) places[place] = kept.push(names[place - 1] ?? '');
    return places[place] ?? 0;
  };
  const moved = files.map((file) => {
    return file.with({ mentioned: file.mentioned.map(placeOf), references: file.references.map(placeOf) });
  });
  return { names: kept, files: moved };
}
