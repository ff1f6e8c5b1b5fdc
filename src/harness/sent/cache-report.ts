/** The joint for what a cache had of each request: what the log says of it, and what the provider reported. */
import { targetName, type Damage, type Event, type EventData, type EventId, type Usage } from '../../core/index.ts';

/** One request of a session. */
export interface CacheRow {
  /** From 1, in the order of the log. */
  number: number;
  id: EventId;
  turn: number;
  attempt: number;
  /** `provider/model`; older logs name no provider. */
  model: string;
  route?: NonNullable<EventData['request']['route']>;
  leftOut?: NonNullable<EventData['request']['leftOut']>;
  bytes: number;
  /** Against the request before it on its path. `unknown`: the bytes of that one could not be had. */
  prefix: 'first' | 'extends' | 'broke' | 'unknown';
  /** Number of the request before it. */
  before?: number;
  broke?: CacheBreak;
  outcome: 'reply' | 'failure' | 'none';
  /** As the provider reported it; absent where it did not. */
  usage?: Usage;
  /** Share of the input that was read from the cache, from 0 to 1; absent where the provider didn't report both. */
  hits?: number;
  /** Dollars; absent without a rate or without usage. */
  cost?: number;
  /** The cost is an estimate. */
  estimated?: true;
}

/** Where a request stopped extending the one before. Logs of the first format have the part alone. */
export interface CacheBreak {
  part: NonNullable<EventData['request']['broke']> | 'unknown';
  /** The first byte of the body that differs, and what it belongs to. */
  at?: number;
  of?: string;
  /** Tokens that can't be read from the cache any more: an estimate. */
  tokens?: number;
  /** Dollars more than they would have cost from the cache: an estimate, and the most it can be. Absent without a rate. */
  cost?: number;
  /** Older turns had given way just before (docs/compaction.md). */
  compaction?: EventData['compaction']['why'];
}

export interface CacheTotals {
  requests: number;
  extends: number;
  broke: number;
  unknown: number;
  /** Input tokens of the requests whose provider reported what it read from the cache, and the share that it did. */
  reported: { requests: number; input: number; cacheRead: number; hits?: number };
  /** Estimated tokens and dollars, at most, that breaks have cost. `unpriced`: breaks that have no price. */
  lost: { tokens: number; cost: number; unpriced: number };
  /** Dollars of all requests that have a price, the part of them that is an estimate, and how many have none. */
  cost: { known: number; estimated: number; unpriced: number };
  /** Questions beside the conversation (summaries, judgements): not among the requests above. */
  asides: { questions: number; cost: number; unpriced: number };
}

export interface CacheReport {
  requests: CacheRow[];
  totals: CacheTotals;
  /** Lines that can't be read: what was in them is missing here. */
  damaged: number;
}

/** The requests of a log in its order, branches that were left included. Damaged lines are counted. */
export function cacheReport(items: Iterable<Event | Damage>): CacheReport {
  const rows = new Map<EventId | null, CacheRow>();
  const asides: EventData['aside-end'][] = [];
  let compaction: EventData['compaction']['why'] | undefined;
  let damaged = 0;
  for (const item of items) {
    if ('damage' in item) {
      damaged += 1;
      continue;
    }
    if (item.kind === 'compaction') compaction = item.data.why;
    if (item.kind === 'head') compaction = undefined;
    if (item.kind === 'aside-end') asides.push(item.data);
    if (item.kind === 'request') {
      const row = rowOf(item.id, item.data, rows);
      if (row.broke?.part === 'messages' && compaction !== undefined) row.broke.compaction = compaction;
      compaction = undefined;
      rows.set(item.id, row);
    }
    if (item.kind !== 'reply' && item.kind !== 'failure') continue;
    const row = rows.get(item.data.request);
    if (row !== undefined) Object.assign(row, outcomeOf(item.kind, item.data));
  }
  const requests = [...rows.values()];
  return { requests, totals: totalsOf(requests, asides), damaged };
}

function rowOf(id: EventId, data: EventData['request'], rows: ReadonlyMap<EventId | null, CacheRow>): CacheRow {
  const { turn, attempt, source, route, leftOut, bytes } = data;
  const before = data.base === null ? undefined : rows.get(data.base)?.number;
  const prefix = prefixOf(data);
  return {
    number: rows.size + 1,
    id,
    turn,
    attempt,
    model: targetName(source),
    ...(route !== undefined && { route }),
    ...(leftOut !== undefined && { leftOut }),
    bytes,
    prefix,
    ...(before !== undefined && { before }),
    ...(prefix === 'broke' && { broke: { part: data.broke ?? 'unknown', ...data.miss } }),
    outcome: 'none',
  };
}

function prefixOf({ base, extends: isExtending }: EventData['request']): CacheRow['prefix'] {
  if (base === null) return isExtending ? 'first' : 'unknown';
  return isExtending ? 'extends' : 'broke';
}

function outcomeOf(outcome: 'reply' | 'failure', data: EventData['reply'] | EventData['failure']): Partial<CacheRow> {
  const { usage, cost } = data;
  const hits = hitsOf(usage);
  return {
    outcome,
    ...(usage !== undefined && { usage }),
    ...(hits !== undefined && { hits }),
    ...(cost !== undefined && { cost }),
    ...('estimated' in data && data.estimated && { estimated: true }),
  };
}

/** All input tokens of a request; undefined where the provider told less. */
function inputOf(usage: Usage | undefined): number | undefined {
  if (usage?.input === undefined) return undefined;
  return usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}

/** What isn't reported is not called zero. */
function hitsOf(usage: Usage | undefined): number | undefined {
  const input = inputOf(usage);
  if (usage?.cacheRead === undefined || input === undefined || input === 0) return undefined;
  return usage.cacheRead / input;
}

function totalsOf(rows: readonly CacheRow[], asides: readonly EventData['aside-end'][]): CacheTotals {
  const count = (prefix: CacheRow['prefix']): number => rows.filter((row) => row.prefix === prefix).length;
  const reporting = rows.filter((row) => row.hits !== undefined);
  const input = sum(reporting, ({ usage }) => inputOf(usage));
  const cacheRead = sum(reporting, ({ usage }) => usage?.cacheRead);
  const breaks = rows.flatMap(({ broke }) => broke ?? []);
  const ended = rows.filter(({ outcome }) => outcome !== 'none');
  const estimated = ended.filter((row) => row.estimated === true);
  return {
    requests: rows.length,
    extends: count('extends'),
    broke: count('broke'),
    unknown: count('unknown'),
    reported: { requests: reporting.length, input, cacheRead, ...(input > 0 && { hits: cacheRead / input }) },
    lost: {
      tokens: sum(breaks, ({ tokens }) => tokens),
      cost: sum(breaks, ({ cost }) => cost),
      unpriced: breaks.filter(({ cost }) => cost === undefined).length,
    },
    cost: {
      known: sum(ended, ({ cost }) => cost),
      estimated: sum(estimated, ({ cost }) => cost),
      unpriced: rows.filter(({ cost }) => cost === undefined).length,
    },
    asides: {
      questions: asides.length,
      cost: sum(asides, ({ cost }) => cost),
      unpriced: asides.filter(({ cost }) => cost === undefined).length,
    },
  };
}

function sum<T>(list: readonly T[], amount: (each: T) => number | undefined): number {
  return list.reduce((total, each) => total + (amount(each) ?? 0), 0);
}
