/** From the events of a path to the steps of a trajectory. */
import type { Event, EventData, EventId, EventOf, ReplyPart, Usage } from '../../core/index.ts';
import type { Call, Said, Step, Trajectory, TurnPart } from './trajectory.ts';

/** Takes the events in the order of the log: those of a path, or of all branches. */
export function trajectoryOf(about: Pick<Trajectory, 'session' | 'title'>, events: Iterable<Event>): Trajectory {
  const steps = new Steps(about);
  for (const event of events) steps.take(event);
  return steps.trajectory;
}

class Steps {
  readonly trajectory: Trajectory;
  readonly #calls = new Map<string, Call>();
  readonly #ids = new Set<string>();
  readonly #turns = new Map<EventId | null, number>();
  /** The step that each event belongs to. */
  readonly #stepOf = new Map<EventId, EventId | null>();
  #hasUnknownCost = false;

  constructor(about: Pick<Trajectory, 'session' | 'title'>) {
    const totals = { turns: 0, calls: 0, usage: {} };
    this.trajectory = { ...about, workspace: '', reins: '', startedAt: 0, endedAt: 0, steps: [], totals };
  }

  take(event: Event): void {
    const { trajectory } = this;
    if (trajectory.startedAt === 0) trajectory.startedAt = event.at;
    trajectory.endedAt = Math.max(trajectory.endedAt, event.at);
    const above = event.parent === null ? null : (this.#stepOf.get(event.parent) ?? null);
    const step = this.#step(event, { id: event.id, parent: above, at: event.at });
    this.#stepOf.set(event.id, step?.id ?? above);
    if (step !== undefined) trajectory.steps.push(step);
  }

  #step(event: Event, common: Pick<Step, 'id' | 'parent' | 'at'>): Step | undefined {
    const told = saidIn(event);
    switch (event.kind) {
      case 'reply':
        return this.#turn(event, common);
      case 'evidence': {
        const { command, passed, exit } = event.data;
        this.trajectory.steps.push({ ...common, kind: 'check', command, passed, exit });
        // What the model was told of it is a step of its own.
        return told && { ...common, id: `${common.id}/told`, parent: common.id, ...told };
      }
      case 'compaction': {
        const { why, gist, elided, before, after } = event.data;
        return { ...common, kind: 'compaction', why, text: gist?.shown ?? '', elided: elided.length, before, after };
      }
      case 'stop':
        return this.#stop(event.data, common);
      default:
        this.#note(event);
        return told && { ...common, ...told };
    }
  }

  /** What is no step of its own. */
  #note(event: Event): void {
    const { trajectory } = this;
    switch (event.kind) {
      case 'session':
        Object.assign(trajectory, { workspace: event.data.workspace, reins: event.data.reins });
        return;
      case 'setup': {
        const { provider, wire, model, mode, tools } = event.data;
        trajectory.setup = { provider, wire, model, mode, tools };
        delete trajectory.stop;
        return;
      }
      case 'request':
        this.#turns.set(event.id, event.data.turn);
        return;
      case 'head':
        if (event.data.why === 'fork') for (const step of trajectory.steps) step.copied = true;
        return;
      case 'start':
        Object.assign(this.#calls.get(event.data.call) ?? {}, { startedAt: event.at });
        return;
      case 'result':
        this.#result(event);
        return;
      case 'failure':
      case 'aside-end':
      case 'review-end':
        this.#spend(event.data.cost);
        return;
      default:
        return;
    }
  }

  #turn({ id, data }: EventOf<'reply'>, common: Pick<Step, 'id' | 'parent' | 'at'>): Step {
    const { totals } = this.trajectory;
    const { source, stop, usage, cost, elapsed } = data;
    let index = 0;
    const parts = data.parts.map((part) => this.#part(part, part.type === 'call' ? `${id}/${index++}` : ''));
    totals.turns += 1;
    totals.calls += index;
    addUsage(totals.usage, usage);
    if (cost === undefined) this.#hasUnknownCost = true;
    this.#spend(cost);
    const turn = this.#turns.get(data.request) ?? totals.turns;
    const used = { ...(usage !== undefined && { usage }), ...(cost !== undefined && { cost }) };
    return { ...common, kind: 'turn', turn, source, parts, stop, ...used, elapsed };
  }

  #part(part: ReplyPart, key: string): TurnPart {
    if (part.type === 'opaque') return { type: 'sealed' };
    if (part.type !== 'call')
      return part.type === 'text' ? { type: 'text', text: part.text } : { type: 'thinking', text: part.text };
    const { name, arguments: given, malformed } = part;
    const id = part.id === '' || this.#ids.has(part.id) ? key : part.id;
    this.#ids.add(id);
    const call: Call = { id, name, arguments: given, ...(malformed !== undefined && { malformed }) };
    this.#calls.set(key, call);
    return { type: 'call', call };
  }

  /** Of two results the first counts, as in the conversation. */
  #result({ at, data }: EventOf<'result'>): void {
    const call = this.#calls.get(data.call);
    if (call === undefined || call.result !== undefined) return;
    const { outcome, text, exit, elapsed, changes, images, bytes } = data;
    call.result = {
      at,
      outcome,
      text,
      ...(exit !== undefined && { exit }),
      ...(elapsed !== undefined && { elapsed }),
      ...(changes !== undefined && { changes }),
      ...(images !== undefined && { images }),
      ...(bytes !== undefined && { bytes }),
    };
  }

  #stop(data: EventData['stop'], common: Pick<Step, 'id' | 'parent' | 'at'>): Step {
    this.trajectory.stop = data;
    const { reason, code, detail } = data;
    return { ...common, kind: 'stop', reason, ...(code !== undefined && { code }), detail };
  }

  #spend(cost: number | undefined): void {
    const { totals } = this.trajectory;
    if (cost !== undefined) totals.cost = (totals.cost ?? 0) + cost;
    if (this.#hasUnknownCost) delete totals.cost;
  }
}

/** What the model is told by an event; a follow-up is told where it was said. */
function saidIn(event: Event): Pick<Said, 'kind' | 'by' | 'from' | 'text' | 'code' | 'images'> | undefined {
  if (event.kind === 'input') {
    const { from, text, code, images } = event.data;
    const by = from === 'harness' || from === 'hook' ? 'harness' : 'person';
    return {
      kind: 'said',
      by,
      from,
      text,
      ...(code !== undefined && { code }),
      ...(images !== undefined && { images }),
    };
  }
  if (event.kind === 'instructions')
    return { kind: 'said', by: 'harness', from: 'instructions', text: event.data.text };
  const { shown = '' } = event.kind === 'evidence' ? event.data : {};
  return shown === '' ? undefined : { kind: 'said', by: 'harness', from: 'evidence', text: shown };
}

function addUsage(sum: Usage, usage: Usage = {}): void {
  for (const [kind, tokens = 0] of Object.entries(usage)) {
    sum[kind as keyof Usage] = (sum[kind as keyof Usage] ?? 0) + tokens;
  }
}
