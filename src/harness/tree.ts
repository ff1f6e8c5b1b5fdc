/** The joint for the picture of a session: its turns and what was said between them, as a tree. */
import { placesOf } from '../config/index.ts';
import { plural, type Damage, type Event, type EventData, type EventId } from '../core/index.ts';
import { Branches, list, readLog, sessionFolder } from '../session/index.ts';
import { describeSession } from './reader.ts';

type Variables = { readonly [name: string]: string | undefined };

export interface TreeNode {
  id: EventId;
  /** The nearest node above it on its path; null for the first. */
  parent: EventId | null;
  /** `turn` is a reply with its calls. */
  kind: 'input' | 'turn' | 'compaction' | 'undo' | 'stop';
  at: number;
  /** Of a turn, from 1. */
  turn?: number;
  /** Tools that it called, in their order. */
  tools?: string[];
  /** What was said, or how it ended; bounded. */
  text: string;
}

export interface SessionTree {
  session: string;
  title: string;
  /** The last event of the path that goes on, and its branch. */
  head: EventId | null;
  branch: string;
  /** The named branches with their last events, and the nodes that these belong to. */
  branches: { branch: string; tip: EventId; node: EventId | null }[];
  /** Sessions that were forked from it, the event that they go on from, and its node. */
  forks: { session: string; event: EventId; node: EventId | null }[];
  /** The node that the head belongs to. */
  headNode: EventId | null;
  /** In the order in which they were recorded. */
  nodes: TreeNode[];
}

const longestText = 200;

/** Rejects with `session-missing` and `session-ambiguous`. Takes no lock. */
export function sessionTree(env: Variables | undefined, which: string | { latest: string }): SessionTree {
  const { state } = placesOf(env);
  const { id: session, title } = describeSession(env, which);
  const growing = new Growing();
  for (const item of readLog(sessionFolder(state, session))) growing.take(item);
  const forks = list(state).flatMap(({ id, parent }) =>
    parent?.session === session ? [{ session: id, event: parent.event, node: growing.nodeOf(parent.event) }] : [],
  );
  return { session, title, ...growing.tree(), forks };
}

/** What each kind of event shows; kinds without an entry show nothing. */
const shown: { [K in Event['kind']]?: (data: EventData[K]) => { text: string; tools?: string[] } | undefined } = {
  input: ({ from, text }) => (from === 'harness' ? undefined : { text }),
  reply: ({ parts }) => ({
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' '),
    tools: parts.flatMap((part) => (part.type === 'call' ? [part.name] : [])),
  }),
  compaction: ({ gist }) => ({ text: gist === undefined ? 'old results elided' : 'older turns summarised' }),
  undo: ({ changes, undone }) => ({
    text: `${plural(changes.length, 'path')} ${undone === undefined ? 'taken back' : 'brought back'}`,
  }),
  stop: ({ reason, code }) => ({ text: code === undefined ? reason : `${reason} (${code})` }),
};

class Growing {
  readonly #branches = new Branches();
  readonly #nodes: TreeNode[] = [];
  /** The node that each event belongs to. */
  readonly #nodeOf = new Map<EventId, EventId | null>();
  readonly #turns = new Map<EventId | null, number>();
  #head: EventId | null = null;

  take(item: Event | Damage): void {
    if ('damage' in item) return;
    this.#branches.take(item);
    this.#head = item.id;
    const above = item.parent === null ? null : (this.#nodeOf.get(item.parent) ?? null);
    const node = this.#node(item, above);
    this.#nodeOf.set(item.id, node?.id ?? above);
    if (node !== undefined) this.#nodes.push(node);
  }

  #node(event: Event, parent: EventId | null): TreeNode | undefined {
    if (event.kind === 'request') this.#turns.set(event.id, event.data.turn);
    const show = shown[event.kind] as ((data: unknown) => ReturnType<NonNullable<typeof shown.input>>) | undefined;
    const what = show?.(event.data);
    if (what === undefined) return undefined;
    const kind = event.kind === 'reply' ? 'turn' : (event.kind as TreeNode['kind']);
    const turn = event.kind === 'reply' ? this.#turns.get(event.data.request) : undefined;
    const text = what.text.trim().slice(0, longestText);
    const more = { ...(turn !== undefined && { turn }), ...(what.tools !== undefined && { tools: what.tools }) };
    return { id: event.id, parent, kind, at: event.at, ...more, text };
  }

  nodeOf(event: EventId | null): EventId | null {
    return event === null ? null : (this.#nodeOf.get(event) ?? null);
  }

  tree(): Omit<SessionTree, 'session' | 'title' | 'forks'> {
    return {
      head: this.#head,
      branch: this.#branches.current,
      branches: [...this.#branches.tips].map(([branch, tip]) => ({ branch, tip, node: this.nodeOf(tip) })),
      headNode: this.nodeOf(this.#head),
      nodes: this.#nodes,
    };
  }
}
