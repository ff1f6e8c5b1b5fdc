/** What of a project's settings holds before the project is trusted: only what makes the run stricter. */
import type { Json, Mode } from '../core/index.ts';
import type { Entry } from './entries.ts';

/** From strict to loose. */
const modes: readonly Mode[] = ['plan', 'ask', 'edit', 'auto', 'unsafe'];

export interface Sifted {
  kept: Entry[];
  leftOut: Entry[];
}

/** `below` are the merged entries of the lower layers, with which the project's are compared. */
export function siftUntrusted(project: Entry[], below: Entry[]): Sifted {
  const lower = new Map(below.map((entry) => [entry.path.join('.'), entry.value]));
  const kept = project.filter((entry) => tightens(entry, lower.get(entry.path.join('.'))));
  return { kept, leftOut: project.filter((entry) => !kept.includes(entry)) };
}

/** Of what is trusted, what loosens all the same: no profile of a project lifts what the user's settings hold. */
export function siftLoosening(project: Entry[], below: Entry[]): Sifted {
  const lower = new Map(below.map((entry) => [entry.path.join('.'), entry.value]));
  const leftOut = project.filter((entry) => mayLoosen(entry) && !tightens(entry, lower.get(entry.path.join('.'))));
  return { kept: project.filter((entry) => !leftOut.includes(entry)), leftOut };
}

const loosening = new Set(['allow', 'rules', 'mode', 'limits', 'tools']);

function mayLoosen({ path: [group = ''] }: Entry): boolean {
  return loosening.has(group);
}

function tightens({ path, value }: Entry, lower: Json | undefined): boolean {
  const [group] = path;
  if (group === 'rules') return isStrictRule(value);
  if (group === 'deny' || group === 'ask') return true;
  if (group === 'tools') return isSubset(value, lower);
  if (group === 'mode') return modes.indexOf(value as Mode) <= modes.indexOf(lower as Mode);
  return group === 'limits' && amount(value) <= amount(lower);
}

/** Only a rule that allows gives anything away. */
function isStrictRule(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && value['effect'] !== 'allow';
}

/** Where nothing is chosen below, all tools are there. */
function isSubset(value: Json, lower: Json | undefined): boolean {
  return !Array.isArray(lower) || (Array.isArray(value) && value.every((name) => lower.includes(name)));
}

/** A limit that is lifted is larger than any other. */
const amount = (limit: Json | undefined): number => (typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY);
