/** An event of the log as one readable line: time, kind, essence. */
import {
  grouped,
  type CallKey,
  type Damage,
  type Event,
  type EventData,
  type JsonObject,
} from '../../../harness/index.ts';
import { clip, oneLine, pad } from '../printable.ts';
import { clockTime, dollars, duration, tokens } from './amounts.ts';
import { callTarget } from './call-target.ts';
import { brief, essenceOf } from './essences.ts';
import { missText } from './request-text.ts';
import type { Style } from './style.ts';

const kindWidth = 11;

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

  /** What depends on the lines before, and what each kind says of itself. */
  #essence(event: Event): string {
    switch (event.kind) {
      case 'request':
        this.#requests += 1;
        return requestEssence(event.data, this.#requests);
      case 'reply':
        this.#remember(event.id, event.data);
        return replyEssence(event.data);
      case 'verdict':
        return `${event.data.decision} ${this.#call(event.data.call, event.data)}: ${oneLine(event.data.reason)} (${oneLine(event.data.by)})`;
      case 'start':
        return this.#call(event.data.call, event.data);
      case 'result':
        return resultEssence(this.#call(event.data.call, event.data), event.data);
      default:
        return essenceOf(event);
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

function resultEssence(call: string, data: EventData['result']): string {
  const exit = typeof data.exit === 'number' ? `, exit ${data.exit}` : '';
  const changed =
    data.changes === undefined || data.changes.length === 0
      ? ''
      : `, changed ${data.changes.map(({ path }) => path).join(', ')}`;
  const took = data.elapsed === undefined ? '' : `, ${duration(data.elapsed)}`;
  return `${data.outcome}${exit}${took} ${call}${oneLine(changed)} · ${brief(data.text)}`;
}
