/** The events of a run as lines for the person who watches: one compact line a step, with its target and its outcome. */
import type { CallKey, Event, EventData, EventOf, JsonObject, Notification } from '../../../harness/index.ts';
import { clip, oneLine, printable, widthOf } from '../printable.ts';
import { duration } from './amounts.ts';
import { asideActivity, compactionText, instructionsText, missText } from './request-text.ts';
import { callTarget } from './call-target.ts';
import { hasFailed, outcomeNote } from './outcome-note.ts';
import type { Style } from './style.ts';

interface ShownCall {
  tool: string;
  arguments: JsonObject;
  refusal?: string;
}

/** What is going on now, for the line that is shown until the next step ends. `until`: milliseconds since the epoch. */
export interface Activity {
  what: string;
  until?: number;
}

/** Folds the events of a run into lines. Nothing here writes or looks at the clock. */
export class Progress {
  readonly #style: Style;
  readonly #calls = new Map<CallKey, ShownCall>();
  /** Started and not ended, in order. */
  readonly #running = new Set<CallKey>();
  readonly #shownNotices = new Set<string>();
  /** The route that the last request took, and tools that were said to be left out. */
  #routed: string | undefined;
  readonly #leftOut = new Set<string>();
  /** Texts of follow-ups that are held. */
  readonly #followUps = new Map<string, string>();
  /** The text of a reply that may turn out to be the answer, which belongs on standard output. */
  #held: string | undefined;
  #activity: Activity | undefined;

  constructor(style: Style) {
    this.#style = style;
  }

  /** The lines that an event adds. */
  event(event: Event): string[] {
    this.#follow(event);
    switch (event.kind) {
      case 'input':
        return [...this.#release(), ...this.#input(event)];
      case 'follow-up':
        return [...this.#release(), this.#followUp(event.data)];
      case 'cancel':
        return [this.#line(this.#style.warn('!'), `cancelled by ${oneLine(event.data.by)}`)];
      case 'request':
        return [...this.#release(), ...this.#request(event.data)];
      case 'reply':
        return [...this.#release(), ...this.#reply(event)];
      case 'failure':
        return [this.#failure(event)];
      case 'answer':
        return [this.#answer(event.data)];
      case 'review-end':
        return event.data.failed === undefined
          ? []
          : [this.#warning(`the reviewer did not decide: ${oneLine(event.data.failed)}`)];
      case 'result':
        return [this.#result(event.data)];
      case 'evidence':
        return event.data.passed ? [this.#evidence(event.data)] : [...this.#release(), this.#evidence(event.data)];
      case 'compaction':
        return [this.#dimmed(compactionText(event.data))];
      case 'instructions':
        return [this.#dimmed(`instructions: ${instructionsText(event.data)}`)];
      case 'checkpoint':
        return event.data.incomplete === undefined ? [] : [this.#warning(oneLine(event.data.incomplete))];
      case 'connection':
        return this.#connection(event.data);
      case 'notice':
        return this.notice(event.data);
      case 'head':
        return [this.#line(this.#style.warn('!'), `the head moved (${event.data.why})`)];
      case 'stop':
        return this.#stop(event.data);
      default:
        return [];
    }
  }

  /** Something that a person should know, once. */
  notice(notice: EventData['notice']): string[] {
    const name = `${notice.code} ${notice.text}`;
    if (this.#shownNotices.has(name)) return [];
    this.#shownNotices.add(name);
    if (notice.level === 'info') return [this.#line(this.#style.dim('·'), oneLine(notice.text))];
    return [this.#warning(oneLine(notice.text))];
  }

  /** Only what was refused is worth a line, and each host once. */
  #connection({ allowed, host, port, reason }: EventData['connection']): string[] {
    if (allowed) return [];
    const text = clip(`a command didn’t reach ${host}:${port}: ${reason}`, 200);
    return this.notice({ code: 'connection', level: 'warning', text });
  }

  notification(notification: Notification): void {
    if (notification.type !== 'waiting') return;
    this.#activity = { what: oneLine(notification.why), until: notification.until };
  }

  activity(): Activity | undefined {
    return this.#activity;
  }

  /** Keeps what later lines need, and what is going on. */
  #follow(event: Event): void {
    switch (event.kind) {
      case 'request':
        this.#activity = {
          what: event.data.attempt > 1 ? `asking the model again (try ${event.data.attempt})` : 'the model works',
        };
        return;
      case 'reply':
        event.data.parts
          .filter((part) => part.type === 'call')
          .forEach((part, index) =>
            this.#calls.set(`${event.id}/${index}`, { tool: part.name, arguments: part.arguments }),
          );
        this.#activity = undefined;
        return;
      case 'verdict': {
        const { call, tool, decision, reason, by } = event.data;
        const refusal = decision === 'deny' ? { refusal: `${reason} (${by})` } : {};
        this.#calls.set(call, { tool, arguments: event.data.arguments, ...refusal });
        return;
      }
      case 'start':
        this.#running.add(event.data.call);
        this.#showRunning();
        return;
      case 'result':
        this.#running.delete(event.data.call);
        this.#showRunning();
        return;
      case 'review':
        this.#activity = { what: 'the reviewer looks at a call' };
        return;
      case 'aside':
        this.#activity = { what: asideActivity[event.data.purpose] };
        return;
      case 'failure':
      case 'aside-end':
      case 'review-end':
      case 'stop':
        this.#activity = undefined;
        return;
      default:
        return;
    }
  }

  #showRunning(): void {
    const [first, ...others] = this.#running;
    const call = first === undefined ? undefined : this.#calls.get(first);
    if (call === undefined) {
      this.#activity = undefined;
      return;
    }
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    this.#activity = { what: `${oneLine(call.tool)} ${callTarget(call.arguments)}${more}` };
  }

  #release(): string[] {
    const text = this.#held;
    this.#held = undefined;
    return text === undefined ? [] : this.#modelText(text);
  }

  /** The answer stands on standard output. */
  #stop({ answer }: EventData['stop']): string[] {
    const lines = this.#release();
    return answer === undefined ? lines : [];
  }

  #modelText(text: string): string[] {
    const shown = printable(text).trim();
    return shown === '' ? [] : shown.split('\n').map((line) => line.trimEnd());
  }

  #input({ id, data }: EventOf<'input'>): string[] {
    if (data.from === 'user') return [];
    if (data.from === 'harness') return [this.#line(this.#style.dim('·'), `told the model: ${oneLine(data.text)}`)];
    if (data.from === 'follow-up') this.#followUps.set(id, data.text);
    return [this.#line(this.#style.bold('»'), `${data.from}: ${oneLine(data.text)}`)];
  }

  #followUp({ input }: EventData['follow-up']): string {
    return this.#line(this.#style.bold('»'), `and now: ${oneLine(this.#followUps.get(input) ?? 'the follow-up')}`);
  }

  #request(data: EventData['request']): string[] {
    const lines: string[] = [];
    if (data.closing === true) lines.push(this.#warning('a limit binds: this is the last turn, its calls are not run'));
    const { route, leftOut = [] } = data;
    if (route !== undefined && route.to !== this.#routed) {
      lines.push(this.#dimmed(`${route.to} is asked: ${route.because}`));
    }
    this.#routed = route?.to;
    for (const { tool, why } of leftOut) {
      if (this.#leftOut.has(tool)) continue;
      this.#leftOut.add(tool);
      lines.push(this.#warning(oneLine(`the tool ${tool} is not offered: ${why}`)));
    }
    if (data.base !== null && !data.extends) lines.push(this.#dimmed(missText(data)));
    return lines;
  }

  #dimmed(text: string): string {
    return this.#line(this.#style.dim('·'), oneLine(text));
  }

  #reply({ data }: EventOf<'reply'>): string[] {
    const text = data.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    const hasCalls = data.parts.some((part) => part.type === 'call');
    const cut = {
      length: 'the reply was cut by its length limit: none of its calls is run',
      overflow: 'the context window is full: the reply was cut',
      refusal: `the model declined${data.stopDetail === undefined ? '' : `: ${oneLine(data.stopDetail)}`}`,
      pause: undefined,
      end: undefined,
      calls: undefined,
      other: undefined,
    }[data.stop];
    if (!hasCalls && cut === undefined) {
      this.#held = text;
      return [];
    }
    return [...this.#modelText(text), ...(cut === undefined ? [] : [this.#warning(cut)])];
  }

  #failure({ at, data }: EventOf<'failure'>): string {
    const status = data.status === undefined ? data.code : `${data.code}, HTTP ${data.status}`;
    const next =
      data.retryAt === undefined ? 'no further try' : `next try in ${duration(Math.max(0, data.retryAt - at))}`;
    return this.#warning(`the model did not answer: ${oneLine(data.message)} (${status}); ${next}`);
  }

  #answer(data: EventData['answer']): string {
    const scope = data.scope === 'always' ? ', always' : '';
    const reason = data.reason === undefined ? '' : `: ${oneLine(data.reason)}`;
    return this.#line(this.#style.bold('?'), `${data.decision}${scope} (${oneLine(data.by)})${reason}`);
  }

  #result(data: EventData['result']): string {
    const call = this.#calls.get(data.call);
    const target = call === undefined ? '' : callTarget(call.arguments);
    const name = oneLine(data.tool);
    const mark = data.outcome === 'ok' && !hasFailed(data) ? this.#style.good('✓') : this.#style.bad('✗');
    const took = data.elapsed === undefined || data.elapsed < 100 ? '' : duration(data.elapsed);
    const notes = [outcomeNote(data, call?.refusal), took].filter((note) => note !== '').join(', ');
    return this.#step(mark, target === '' ? name : `${name} ${target}`, notes);
  }

  #evidence(data: EventData['evidence']): string {
    const isBad = data.advisory !== true && data.early !== true;
    const mark = data.passed ? this.#style.good('✓') : isBad ? this.#style.bad('✗') : this.#style.warn('!');
    const words = {
      passed: 'passed',
      failed: `failed, exit ${data.exit}`,
      'timed-out': 'ran out of time',
      'not-started': 'could not start',
      cancelled: 'cancelled',
    };
    const changed =
      data.definersChanged === undefined ? '' : `; changed in this run: ${oneLine(data.definersChanged.join(', '))}`;
    const notes = `${words[data.outcome]}, ${duration(data.elapsed)}${changed}`;
    return this.#step(mark, `check ${oneLine(data.command)}`, notes);
  }

  #warning(text: string): string {
    return this.#line(this.#style.warn('!'), text);
  }

  /** What must not be lost is not clipped. */
  #line(mark: string, text: string): string {
    return `${mark} ${text}`;
  }

  /** A line within the width: the notes keep up to half of it, the text gets the rest. */
  #step(mark: string, text: string, notes: string): string {
    const room = this.#style.width - 2;
    const after = notes === '' ? '' : ` (${notes})`;
    const shownText = clip(text, Math.max(room - widthOf(after), Math.ceil(room / 2)));
    return `${mark} ${shownText}${this.#style.dim(clip(after, room - widthOf(shownText)))}`;
  }
}
