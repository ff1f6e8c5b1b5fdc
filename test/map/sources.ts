/** A workspace with files, and what an inventory of it is taken with. */
import { readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { loadMap, type Inventory, type MapSources } from '../../src/map/index.ts';
import { temporaryWorkspace } from '../../src/testing/index.ts';

export interface MapGround {
  workspace: string;
  /** The user’s folder. */
  folder: string;
  write(path: string, content: string | Buffer): void;
  inventory(more?: Partial<MapSources>, signal?: AbortSignal): Promise<Inventory>;
  /** The index file. */
  index(): string;
}

export async function mapGround(t: TestContext, files: { readonly [path: string]: string }): Promise<MapGround> {
  const made = await temporaryWorkspace({ files });
  const state = await temporaryWorkspace();
  t.after(() => Promise.all([made.dispose(), state.dispose()]));
  const workspace = realpathSync(made.path);
  const folder = join(state.path, 'maps');
  const { takeInventory } = await loadMap();
  const sources: MapSources = {
    workspace,
    folder,
    mayRead: () => true,
    timeLimit: 20_000,
    list: async () => {
      const entries = readdirSync(workspace, { recursive: true, withFileTypes: true });
      const found = entries.filter((entry) => entry.isFile());
      const paths = found.map(({ parentPath, name }) => relative(workspace, join(parentPath, name)));
      return { paths, total: paths.length };
    },
  };
  return {
    workspace,
    folder,
    write: (path, content) => writeFileSync(join(workspace, path), content),
    inventory: (more, signal = new AbortController().signal) => takeInventory({ ...sources, ...more }, signal),
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
