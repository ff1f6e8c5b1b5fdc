/** The joint for instruction files as a person asks of them: which the next request has in force, and which were left out. */
import { loadInstructions } from '../../context/index.ts';
import type { Damage, Event, EventId, InstructionFile, LeftOutInstructions, View } from '../../core/index.ts';
import { leftOutCode } from '../instructions.ts';

export interface InstructionReport {
  /** The nearest last; `since` the start of the run, or later. */
  files: (InstructionFile & { since: 'start' | 'later' })[];
  leftOut: LeftOutInstructions[];
  /** Bytes of them that the model is shown. */
  bytes: number;
}

/** `items`, `path`: the log of a session, whose notices say what was left out on the way. */
export async function instructionReport(
  view: Pick<View, 'setup' | 'transcript'>,
  items: Iterable<Event | Damage> = [],
  path: ReadonlySet<EventId> = new Set(),
): Promise<InstructionReport> {
  const { inForce } = await loadInstructions();
  const standing = view.setup?.instructions;
  const files = [...inForce(view).values()].map((file) => {
    const since = standing?.files.includes(file) === true ? ('start' as const) : ('later' as const);
    return { ...file, since };
  });
  const told = [...items].flatMap((item) => ('damage' in item || !path.has(item.id) ? [] : leftOutBy(item)));
  const isInForce = ({ path: one }: LeftOutInstructions): boolean =>
    files.some((file) => file.path === one && file.shown === undefined);
  const all = [...(standing?.leftOut ?? []), ...told].filter((each) => !isInForce(each));
  const leftOut = new Map(all.map((each) => [`${each.path} ${each.why}`, each]));
  const bytes = files.reduce((sum, file) => sum + (file.shown ?? file.bytes), 0);
  return { files, leftOut: [...leftOut.values()], bytes };
}

function leftOutBy(event: Event): LeftOutInstructions[] {
  if (event.kind !== 'notice' || event.data.code !== leftOutCode) return [];
  const { path, why } = event.data.data ?? {};
  return typeof path === 'string' && typeof why === 'string' ? [{ path, why }] : [];
}
