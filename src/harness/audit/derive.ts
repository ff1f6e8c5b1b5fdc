/** From the log to an audit: what each call was, who let it through or not, and what came of it. Every branch counts: what was done was done. */
import {
  targetName,
  type CallKey,
  type Damage,
  type Event,
  type EventData,
  type EventId,
  type EventOf,
  type JsonObject,
} from '../../core/index.ts';
import type { AuditEntry, AuditedJob, CallEntry } from './entry.ts';
import { shortened, whatOf } from '../shorten.ts';

export interface Audit {
  /** In the order in which they began. */
  entries: AuditEntry[];
  /** Lines that can't be read: what they said is missing here. */
  damaged: number;
  /** Real path; empty where the log no longer says it. */
  workspace: string;
}

export function auditOf(items: Iterable<Event | Damage>): Audit {
  const folding = new Folding();
  let damaged = 0;
  for (const item of items) {
    if ('damage' in item) damaged += 1;
    else folding.take(item);
  }
  return { entries: folding.entries, damaged, workspace: folding.workspace };
}

class Folding {
  readonly entries: AuditEntry[] = [];
  workspace = '';
  readonly #calls = new Map<CallKey, CallEntry>();
  readonly #turns = new Map<EventId | null, number>();
  readonly #asks = new Map<EventId, { call: CallEntry; shape: string | undefined }>();
  readonly #jobs = new Map<string, AuditedJob>();

  take(event: Event): void {
    switch (event.kind) {
      case 'session':
        this.workspace = event.data.workspace;
        return;
      case 'setup':
        this.entries.push({
          type: 'run',
          id: event.id,
          at: event.at,
          mode: event.data.mode,
          model: targetName(event.data),
        });
        return;
      case 'request':
        this.#turns.set(event.id, event.data.turn);
        return;
      case 'reply':
        return this.#reply(event);
      case 'verdict':
        return this.#verdict(event);
      case 'ask':
        return this.#ask(event);
      case 'answer':
        return this.#answer(event);
      case 'start':
        this.#call(event.data.call, event.at, event.data.tool).startedAt = event.at;
        return;
      case 'result':
        return this.#result(event);
      default:
        this.#beside(event);
    }
  }

  /** What is about no call, or only perhaps. */
  #beside(event: Event): void {
    const { id, at } = event;
    switch (event.kind) {
      case 'connection':
        return this.#connection(event);
      case 'job':
        return this.#job(event);
      case 'job-end': {
        const { id: job, ...end } = event.data;
        const begun = this.#jobs.get(job);
        if (begun !== undefined) begun.end = { ...end, at };
        return;
      }
      case 'evidence': {
        const { command, outcome, exit } = event.data;
        this.entries.push({ type: 'check', id, at, command, outcome, exit });
        return;
      }
      case 'cancel': {
        const { by, signal } = event.data;
        this.entries.push({ type: 'cancel', id, at, by, ...(signal !== undefined && { signal }) });
        return;
      }
      case 'undo':
        return this.#undo(event);
      case 'notice': {
        const { code, text, data } = event.data;
        const call = data?.['call'];
        if (typeof call === 'string') this.#calls.get(call)?.notices.push({ code, text });
        return;
      }
      default:
    }
  }

  /** A call whose reply can't be read any more begins with whatever is heard of it first. */
  #call(key: CallKey, at: number, tool: string): CallEntry {
    const known = this.#calls.get(key);
    if (known !== undefined) return known;
    const entry: CallEntry = {
      type: 'call',
      id: key,
      at,
      tool,
      what: '',
      arguments: {},
      verdicts: [],
      questions: [],
      grants: [],
      changes: [],
      connections: [],
      jobs: [],
      notices: [],
    };
    this.#calls.set(key, entry);
    this.entries.push(entry);
    return entry;
  }

  #reply({ id, at, data }: EventOf<'reply'>): void {
    const turn = this.#turns.get(data.request);
    const calls = data.parts.filter((part) => part.type === 'call');
    for (const [index, { name, arguments: args }] of calls.entries()) {
      const call = this.#call(`${id}/${index}`, at, name);
      if (turn !== undefined) call.turn = turn;
      asks(call, args);
    }
  }

  #verdict({ at, data }: EventOf<'verdict'>): void {
    const call = this.#call(data.call, at, data.tool);
    const { decision, by, reason, part, changedBy, effects, hosts, resources } = data;
    call.tool = data.tool;
    asks(call, data.arguments);
    call.verdicts.push({ at, decision, by, reason, ...(part !== undefined && { part }) });
    if (changedBy !== undefined) call.changedBy = changedBy;
    if (effects !== undefined) call.effects = effects;
    if (hosts !== undefined) call.hosts = hosts;
    if (resources !== 'unknown') call.paths = resources.filter(({ path }) => path.startsWith('/'));
  }

  #ask({ id, at, data }: EventOf<'ask'>): void {
    const { tool, question, because, shape } = data;
    const call = this.#call(data.call, at, tool);
    call.questions.push({ id, at, question, ...(because !== undefined && { because }) });
    this.#asks.set(id, { call, shape });
  }

  /** The first answer counts; what comes later changed nothing. */
  #answer({ at, data }: EventOf<'answer'>): void {
    const asked = this.#asks.get(data.ask);
    const question = asked?.call.questions.find(({ id }) => id === data.ask);
    if (asked === undefined || question === undefined || question.answer !== undefined) return;
    const { by, decision, scope, reason, arguments: edited, mode } = data;
    question.answer = {
      at,
      by,
      decision,
      scope,
      ...(reason !== undefined && { reason }),
      ...(edited !== undefined && { arguments: shortened(edited) }),
      ...(mode !== undefined && { mode }),
    };
    const { shape, call } = asked;
    if (decision === 'yes' && scope !== 'once' && shape !== undefined) call.grants.push({ shape, by, at });
  }

  #result({ at, data }: EventOf<'result'>): void {
    const call = this.#call(data.call, at, data.tool);
    call.endedAt = at;
    call.outcome = data.outcome;
    if (data.exit !== undefined) call.exit = data.exit;
    call.changes = reported(data.changes ?? []);
    if (data.mayHaveChanged === true) call.changesUnknown = 'no snapshot says what it changed';
  }

  #connection({ id, at, data: { call: key, ...rest } }: EventOf<'connection'>): void {
    const call = key === undefined ? undefined : this.#calls.get(key);
    if (call === undefined) this.entries.push({ type: 'connection', id, at, ...rest });
    else call.connections.push({ ...rest, at });
  }

  #job({ at, data: { call, ...rest } }: EventOf<'job'>): void {
    const job: AuditedJob = { ...rest, at };
    this.#jobs.set(job.id, job);
    this.#call(call, at, 'shell').jobs.push(job);
  }

  #undo({ id, at, data: { calls, undone, changes, kept } }: EventOf<'undo'>): void {
    for (const key of calls) {
      const call = this.#calls.get(key);
      if (call === undefined) continue;
      if (undone === undefined) call.undoneBy = id;
      else delete call.undoneBy;
    }
    const all = { calls, changes: reported(changes), kept };
    this.entries.push({ type: 'undo', id, at, ...all, ...(undone !== undefined && { undone }) });
  }
}

function asks(call: CallEntry, args: JsonObject): void {
  call.what = whatOf(args);
  call.arguments = shortened(args);
}

function reported(changes: EventData['undo']['changes']): CallEntry['changes'] {
  return changes.map(({ path, before, after }) => ({ path, before, after, how: 'reported' }));
}
