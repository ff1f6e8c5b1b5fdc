/** What watchers are told while it happens, without secrets: a delta may hold only a part of one. */
import type { Event, Notification, Notify } from '../core/index.ts';
import type { Redactor } from '../safety/index.ts';

type Delta = Extract<Notification, { delta: string }>;

/** Passes notifications on to a watcher. `ended` is to be told of each event: what was held back comes before it. */
export class Watched {
  readonly #secrets: Redactor;
  readonly #pass: Notify;
  readonly #streams = new Map<string, { filter: ReturnType<Redactor['text']>; last: Delta }>();

  constructor(secrets: Redactor, pass: Notify) {
    this.#secrets = secrets;
    this.#pass = pass;
  }

  readonly notify: Notify = (notification) => {
    if (!('delta' in notification)) {
      if (notification.type !== 'waiting') this.#end(notification.type === 'void' ? 'drop' : 'pass');
      this.#pass(notification);
      return;
    }
    const { type } = notification;
    const key = `${type} ${type === 'output' ? notification.call : notification.request}`;
    // What the model writes is only searched for what is known.
    const stream = this.#streams.get(key) ?? {
      filter: this.#secrets.text({ shapes: type === 'output' }),
      last: notification,
    };
    this.#streams.set(key, { ...stream, last: notification });
    this.#say(notification, stream.filter.write(notification.delta));
  };

  readonly ended = ({ kind, data }: Event): void => {
    if (kind === 'reply' || kind === 'evidence') this.#end('pass');
    if (kind === 'result') this.#end('pass', `output ${data.call}`);
  };

  #end(how: 'pass' | 'drop', only?: string): void {
    for (const [key, { filter, last }] of this.#streams) {
      if (only === undefined ? key.startsWith('output ') && how === 'drop' : key !== only) continue;
      this.#streams.delete(key);
      const rest = filter.end();
      if (how === 'pass') this.#say(last, rest);
    }
  }

  #say(notification: Delta, delta: string): void {
    if (delta !== '') this.#pass({ ...notification, delta });
  }
}
