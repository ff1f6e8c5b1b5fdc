/** The standing part of the prompt, in layers: what changes least comes first, so that caches hold as long as they can. */
import type { Mode } from '../core/index.ts';
import {
  checksText,
  familyOf,
  fragments,
  modeText,
  placeText,
  sandboxText,
  sandboxTexts,
  type Place,
} from './prompt/index.ts';

export interface SystemContext extends Place {
  mode: Mode;
  /** In mode plan, what the file of the plan is known by, where one can be written. */
  planFile?: string | undefined;
  /** The model's name, by which some are told a thing in other words. */
  model: string;
  /** Whether commands run in a sandbox that was proven to hold. */
  sandbox: boolean;
  /** Hosts that commands in it may reach. */
  hosts?: readonly string[];
  /** The commands of the checks, or that the user waived them. */
  checks: readonly string[] | 'waived';
  /** Further layers, each only where there is something to say. */
  more?: { readonly [name in MoreLayer]?: string | undefined };
}

/** How to write; the instruction files; notes of earlier sessions; what was given for the run; what the repository looks like, and its map. In this order. */
const moreLayers = ['style', 'instructions', 'memory', 'appended', 'repository', 'map'] as const;
type MoreLayer = (typeof moreLayers)[number];

export interface Layer {
  name: 'static' | 'standing' | MoreLayer;
  text: string;
}

/** The layers of the system prompt: the static one is the same for every user and day, the standing ones for a run. */
export function systemFor(context: SystemContext): Layer[] {
  const { mode, planFile, model, sandbox, hosts, checks, more = {} } = context;
  const lines = [placeText(context), modeText(mode, planFile), sandbox ? sandboxText(hosts) : sandboxTexts.off];
  // Where nothing can be written there is nothing to check.
  if (mode !== 'plan') lines.push(checksText(checks));
  return [
    { name: 'static', text: staticText(model) },
    { name: 'standing', text: lines.join('\n') },
    ...moreLayers.flatMap((name) => (more[name] === undefined ? [] : [{ name, text: more[name] }])),
  ];
}

function staticText(model: string): string {
  const all = { ...fragments, ...familyOf(model)?.fragments };
  return Object.values(all)
    .map(({ text }) => text)
    .join('\n\n');
}
