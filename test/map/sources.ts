/** A workspace with files, and what an inventory of it is taken with. */
import { readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createSearcher } from '../../src/exec/index.ts';
import { loadMap, type Inventory, type MapSources } from '../../src/map/index.ts';
import { temporaryWorkspace } from '../../src/testing/index.ts';

export interface MapGround {
  workspace: string;
  /** The user’s folder. */
  folder: string;
  write(path: string, content: string | Buffer): void;
  inventory(more?: Partial<MapSources>): Promise<Inventory>;
  /** The index file. */
  index(): string;
}

export async function mapGround(t: TestContext, files: { readonly [path: string]: string }): Promise<MapGround> {
  const made = await temporaryWorkspace({ files });
  const state = await temporaryWorkspace();
  t.after(() => Promise.all([made.dispose(), state.dispose()]));
  const workspace = realpathSync(made.path);
  const folder = join(state.path, 'maps');
  const searcher = createSearcher({ workspace, environment: {}, program: null });
  const { takeInventory, sourceGlob } = await loadMap();
  const sources: MapSources = {
    workspace,
    folder,
    mayRead: () => true,
    list: async (signal) => {
      const found = await searcher.find({ glob: sourceGlob, path: workspace, limit: 10_000 }, signal);
      return 'refused' in found ? { paths: [], total: 0 } : { paths: found.lines, total: found.total };
    },
  };
  return {
    workspace,
    folder,
    write: (path, content) => writeFileSync(join(workspace, path), content),
    inventory: (more) => takeInventory({ ...sources, ...more }, new AbortController().signal),
    index: () => join(folder, readdirSync(folder)[0] ?? ''),
  };
}

/** As people read them: `line depth kind name`. */
export function symbolsOf({ files }: Inventory, path: string): string[] {
  const file = files.find((each) => each.path === path);
  return (file?.definitions ?? []).map(({ line, depth, kind, name }) => `${line} ${depth} ${kind} ${name}`);
}

export function signaturesOf({ files }: Inventory, path: string): string[] {
  return (files.find((each) => each.path === path)?.definitions ?? []).map(({ signature }) => signature);
}
