/** Which tools the model is told of at once: the others are found by a search, and the list stays as it is all through a session. */
import { assumedBytesPerToken, type ToolSpec } from '../core/index.ts';
import { createFindTools, createToolSearch, useTool } from './deferral/index.ts';
import { registryOf, specOf, type Registry } from './registry.ts';
import type { Tool } from './tool.ts';

/** Above so many tools, or this share of the window, those that don't mind are deferred (DESIGN section 10). */
const mostTold = 15;
const shareOfWindow = 0.1;

export interface ToolSetOptions {
  /** Context window in tokens; the smallest of those that a session may be asked in. */
  window: number;
  /** A model of the session finds tools by the wire's own means: then the specs hold the deferred ones too, marked so. */
  ownDeferral: boolean;
}

export interface ToolSet {
  /** What calls are looked up in: with the tools that find and call the deferred ones, where there are any. */
  registry: Registry;
  /** What the model is told, in an order that stays: what is told at once, then what is deferred. */
  specs: ToolSpec[];
  /** Names of the tools that have to be found. */
  deferred: string[];
}

export function toolSet(registry: Registry, { window, ownDeferral }: ToolSetOptions): ToolSet {
  const all = registry.names().flatMap((name) => registry.get(name) ?? []);
  const tools = all.filter(({ deferral }) => deferral !== 'untold');
  const eager = tools.filter(({ deferral }) => deferral !== 'always');
  const isCrowded = eager.length > mostTold || tokensOf(eager) > window * shareOfWindow;
  const told = isCrowded ? eager.filter(({ deferral }) => deferral === 'never') : eager;
  const deferred = tools.filter((tool) => !told.includes(tool));
  if (deferred.length === 0) return { registry, specs: told.map(specOf), deferred: [] };
  const names = told.map(({ name }) => name);
  const finding = [createFindTools(createToolSearch(deferred), names), useTool];
  const first = registryOf([...told, ...finding]).specs();
  const later = ownDeferral ? deferred.map((tool) => ({ ...specOf(tool), deferred: true })) : [];
  return {
    registry: registryOf([...all, ...finding]),
    specs: [...first, ...later],
    deferred: deferred.map(({ name }) => name),
  };
}

/** An estimate, on the large side. */
function tokensOf(tools: readonly Tool[]): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(tools.map(specOf))) / assumedBytesPerToken);
}
