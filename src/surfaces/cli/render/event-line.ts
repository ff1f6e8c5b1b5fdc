/** An event of the log as one readable line: time, kind, essence. */
import type { CallKey, Damage, Event, EventData, JsonObject } from '../../../harness/index.ts';
import { clip, oneLine, pad } from '../printable.ts';
import { clockTime, dollars, duration, grouped, tokens } from './amounts.ts';
import { callTarget } from './call-target.ts';
import { compactionText, missText } from './request-text.ts';
import type { Style } from './style.ts';

const kindWidth = 11;

/** More of a text than any line shows is not even looked at. */
const brief = (text: string): string => oneLine(text.slice(0, 1000));

/** Numbers the requests and remembers the calls while a log goes by. */
export class EventLines {
  readonly #style: Style;
  readonly #calls = new Map<CallKey, { tool: string; arguments: JsonObject }>();
  #requests = 0;

  constructor(style: Style) {
    this.#style = style;
  }

  line(item: Event | Damage): string {
    if ('damage' in item) {
      return this.#style.bad(`line ${item.line} is damaged (${oneLine(item.damage)}; ${grouped(item.bytes)} bytes)`);
    }
    const before = `${clockTime(item.at)} ${pad(item.kind, kindWidth)}`;
    const room = Math.max(20, this.#style.width - before.length - 1);
    return `${this.#style.dim(before)} ${this.#paint(item, clip(this.#essence(item), room))}`;
  }

  #paint(event: Event, text: string): string {
    if (event.kind === 'evidence') return event.data.passed ? this.#style.good(text) : this.#style.bad(text);
    if (event.kind === 'failure') return this.#style.bad(text);
    if (event.kind === 'stop') return this.#style.bold(text);
    return text;
  }

  #essence(event: Event): string {
    switch (event.kind) {
      case 'session':
        return sessionEssence(event.data);
      case 'setup':
        return setupEssence(event.data);
      case 'input':
        return `${event.data.from}${event.data.code === undefined ? '' : ` (${event.data.code})`}: ${brief(event.data.text)}`;
      case 'cancel':
        return oneLine(`by ${event.data.by}${event.data.signal === undefined ? '' : ` (${event.data.signal})`}`);
      case 'request':
        this.#requests += 1;
        return requestEssence(event.data, this.#requests);
      case 'reply':
        this.#remember(event.id, event.data);
        return replyEssence(event.data);
      case 'failure':
        return failureEssence(event.at, event.data);
      case 'verdict':
        return `${event.data.decision} ${this.#call(event.data.call, event.data)}: ${oneLine(event.data.reason)} (${oneLine(event.data.by)})`;
      case 'ask':
        return oneLine(`${event.id}: ${event.data.question}`);
      case 'answer':
        return answerEssence(event.data);
      case 'review':
        return oneLine(
          `${event.data.ask} to ${event.data.source.provider}/${event.data.source.model}, ${grouped(event.data.bytes)} bytes`,
        );
      case 'review-end':
        return reviewEssence(event.data);
      case 'connection':
        return connectionEssence(event.data);
      case 'start':
        return this.#call(event.data.call, event.data);
      case 'result':
        return resultEssence(this.#call(event.data.call, event.data), event.data);
      case 'evidence':
        return evidenceEssence(event.data);
      case 'compaction':
        return compactionText(event.data);
      case 'checkpoint':
        return checkpointEssence(event.data);
      case 'job':
        return jobEssence(event.data);
      case 'job-end':
        return oneLine(`${event.data.id} ${event.data.how}${exitText(event.data)}`);
      case 'undo':
        return undoEssence(event.data);
      case 'head':
        return `${event.data.why} from ${event.data.from}`;
      case 'notice':
        return oneLine(`${event.data.level} ${event.data.code}: ${event.data.text}`);
      case 'stop':
        return stopEssence(event.data);
      default:
        return brief(JSON.stringify(event.data));
    }
  }

  #remember(reply: string, data: EventData['reply']): void {
    data.parts
      .filter((part) => part.type === 'call')
      .forEach((part, index) => this.#calls.set(`${reply}/${index}`, { tool: part.name, arguments: part.arguments }));
  }

  #call(key: CallKey, data: { tool: string; arguments?: JsonObject }): string {
    const call = this.#calls.get(key);
    const target = callTarget(data.arguments ?? call?.arguments ?? {});
    return clip(`${oneLine(data.tool)} ${target}`.trimEnd(), 100);
  }
}

function sessionEssence(data: EventData['session']): string {
  const parent = data.parent === undefined ? '' : `, from session ${data.parent.session}`;
  return oneLine(`Reins ${data.reins}, format ${data.format}, in ${data.workspace}${parent}`);
}

function setupEssence(data: EventData['setup']): string {
  const checks =
    data.checks === 'waived'
      ? 'checks waived'
      : `checks: ${data.checks.map(({ command }) => command).join(' and ') || 'none'}`;
  const tools = data.tools.map(({ name }) => name).join(' ');
  const switched = data.switched === undefined ? '' : ` instead of ${data.switched.from} (by ${data.switched.by})`;
  return oneLine(`${data.provider}/${data.model}${switched}, mode ${data.mode}, ${checks}, tools: ${tools}`);
}

function requestEssence(data: EventData['request'], number: number): string {
  const attempt = data.attempt > 1 ? `, try ${data.attempt}` : '';
  const sent = `${grouped(data.bytes)} bytes, ${grouped(data.kept)} as before`;
  const route = data.route === undefined ? '' : `, to ${data.route.to} (${data.route.because})`;
  const broke = data.base === null || data.extends ? '' : `; ${missText(data)}`;
  const closing = data.closing === true ? ', closing' : '';
  return oneLine(`#${number} turn ${data.turn}${attempt}${route}, ${sent}${closing}${broke}`);
}

function replyEssence(data: EventData['reply']): string {
  const parts = data.parts.map((part) => {
    if (part.type === 'text') return brief(part.text);
    if (part.type === 'call') return `[${oneLine(part.name)} ${clip(callTarget(part.arguments), 60)}]`;
    return `[${part.type}]`;
  });
  const used = data.usage === undefined ? 'tokens not reported' : tokens(data.usage);
  const cost = data.cost === undefined ? '' : `, ${dollars(data.cost)}`;
  const stop = data.stop === 'end' || data.stop === 'calls' ? '' : `${data.stop}: `;
  return `${duration(data.elapsed)}, ${used}${cost} · ${stop}${parts.join(' ')}`;
}

function failureEssence(at: number, data: EventData['failure']): string {
  const next = data.retryAt === undefined ? 'no further try' : `next try in ${duration(data.retryAt - at)}`;
  const status = data.status === undefined ? '' : ` (HTTP ${data.status})`;
  return `${data.code}${status}: ${oneLine(data.message)}; ${next}`;
}

function answerEssence(data: EventData['answer']): string {
  const scope = data.scope === 'always' ? ', always' : '';
  const reason = data.reason === undefined ? '' : `: ${data.reason}`;
  const edited = data.arguments === undefined ? '' : `, as ${JSON.stringify(data.arguments)}`;
  return oneLine(`${data.decision}${scope}${edited} by ${data.by} to ${data.ask}${reason}`);
}

function reviewEssence(data: EventData['review-end']): string {
  const used = data.usage === undefined ? 'tokens not reported' : tokens(data.usage);
  const cost = data.cost === undefined ? '' : `, ${dollars(data.cost)}`;
  const said =
    data.decision === undefined ? `no answer: ${data.failed ?? ''}` : `${data.decision}: ${data.reason ?? ''}`;
  return oneLine(`${duration(data.elapsed)}, ${used}${cost} · ${said}`);
}

function resultEssence(call: string, data: EventData['result']): string {
  const exit = typeof data.exit === 'number' ? `, exit ${data.exit}` : '';
  const changed =
    data.changes === undefined || data.changes.length === 0
      ? ''
      : `, changed ${data.changes.map(({ path }) => path).join(', ')}`;
  const took = data.elapsed === undefined ? '' : `, ${duration(data.elapsed)}`;
  return `${data.outcome}${exit}${took} ${call}${oneLine(changed)} · ${brief(data.text)}`;
}

function evidenceEssence(data: EventData['evidence']): string {
  const exit = data.exit === null ? '' : `, exit ${data.exit}`;
  const changed = data.definersChanged === undefined ? '' : `, changed in this run: ${data.definersChanged.join(', ')}`;
  const output = data.passed ? '' : ` · ${data.output.text.slice(-1000)}`;
  return oneLine(`${data.outcome}${exit}, ${duration(data.elapsed)}: ${data.command}${changed}${output}`);
}

function checkpointEssence(data: EventData['checkpoint']): string {
  if (data.incomplete !== undefined) return oneLine(`incomplete: ${data.incomplete}`);
  const commit = data.commit === null ? 'no commit' : `commit ${data.commit.slice(0, 12)}`;
  const changed = data.changed === undefined ? '' : `, changed since the last: ${data.changed.join(', ') || 'nothing'}`;
  return oneLine(
    `${commit}, ${Object.keys(data.files).length} files beside it${changed}${data.afterCheck === true ? ', after a check' : ''}`,
  );
}

function stopEssence(data: EventData['stop']): string {
  const code = data.code === undefined ? '' : ` (${data.code})`;
  const answer = data.answer === undefined ? '' : ` · ${data.answer}`;
  return oneLine(`${data.reason}${code}: ${data.detail}${answer}`);
}

function connectionEssence({ host, port, allowed, reason }: EventData['connection']): string {
  return brief(`${allowed ? 'to' : 'refused to'} ${host}:${port}: ${reason}`);
}

function jobEssence({ id, command, kept, until }: EventData['job']): string {
  const lifetime = until === undefined ? '' : `, until ${clockTime(until)}`;
  return `${oneLine(id)}${kept ? ' (kept)' : ''}${lifetime}: ${brief(command)}`;
}

function exitText({ exit, signal }: EventData['job-end']): string {
  if (exit !== null) return `, exit ${exit}`;
  return signal === undefined ? '' : `, ${signal}`;
}

function undoEssence({ calls, undone, changes, kept }: EventData['undo']): string {
  const what = undone === undefined ? `took back ${calls.length} calls` : `took back the undo ${undone}`;
  const left = kept.length === 0 ? '' : `, left ${kept.length} as they are`;
  return oneLine(`${what}: ${changes.length} paths changed${left}`);
}
