/** Plays a recording back: what was answered then is answered again, without any network and without waiting. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ReinsError } from '../../core/index.ts';
import type { HttpEnd, HttpRequest, HttpSink, Transport } from '../network/index.ts';
import type { Cassette } from './cassette.ts';
import { shapeOf } from './conversation.ts';
import { divergenceOf, divergenceText } from './divergence.ts';
import { editedJson, editedPieces } from './edits.ts';
import { normalisedBody, type Surroundings } from './normalise.ts';
import { placesEditor } from './places.ts';
import { secretsEditor } from './redact.ts';
import { shiftedHeaders } from './shifted-times.ts';

export interface ReplayOptions {
  cassettes: readonly Cassette[];
  /** Takes a recorded exchange also out of its order, and one whose request is only alike. */
  tolerant: boolean;
  /** The session goes on: its first request may be any of the recorded ones. */
  goesOn: boolean;
  surroundings: Surroundings;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Told of what was taken though it isn't the same. */
  notice: (text: string) => void;
}

/** Rejects with `replay-diverged` where nothing recorded fits the request. */
export function replayTransport(options: ReplayOptions): Transport {
  const player = new Player(options);
  return {
    exchange: (request, sink) => player.exchange(request, sink),
    prepareConnection: () => Promise.resolve(),
    close: () => undefined,
  };
}

class Player {
  readonly #options: ReplayOptions;
  /** Index of the cassette whose turn it is. */
  #place = 0;
  #requests = 0;
  readonly #used = new Set<Cassette>();
  readonly #normalised = new Map<Cassette, string>();

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  async exchange(request: HttpRequest, sink: HttpSink): Promise<HttpEnd> {
    if (request.signal.aborted) return { kind: 'aborted', sent: false };
    this.#requests += 1;
    const hidden = editedJson(Buffer.from(request.body).toString('utf8'), secretsEditor([]));
    const cassette = this.#find(normalisedBody(hidden, this.#options.surroundings));
    this.#used.add(cassette);
    this.#place = this.#options.cassettes.indexOf(cassette) + 1;
    return this.#play(cassette, request.signal, sink);
  }

  #find(sent: string): Cassette {
    const { cassettes, tolerant, goesOn } = this.#options;
    const due = cassettes[this.#place];
    if (due !== undefined && this.#recorded(due) === sent) return due;
    if (tolerant || (goesOn && this.#requests === 1)) {
      const found = this.#anywhere(sent);
      if (found !== undefined) return found;
    }
    if (tolerant && due !== undefined && isAlike(this.#recorded(due), sent)) {
      const text = `Request ${this.#requests} isn’t the recorded ${due.number}, but its conversation is alike: `;
      this.#options.notice(text + this.#difference(due, sent));
      return due;
    }
    throw this.#diverged(due, sent);
  }

  /** The next one that has not been played, else one before, else one that is played again. */
  #anywhere(sent: string): Cassette | undefined {
    const same = this.#options.cassettes.filter((cassette) => this.#recorded(cassette) === sent);
    const fresh = same.filter((cassette) => !this.#used.has(cassette));
    const later = fresh.find((cassette) => this.#options.cassettes.indexOf(cassette) >= this.#place);
    const found = later ?? fresh[0] ?? same.at(-1);
    if (found === undefined || (this.#options.goesOn && this.#requests === 1)) return found;
    this.#options.notice(`Request ${this.#requests} is the recorded ${found.number}, out of its order.`);
    return found;
  }

  #diverged(due: Cassette | undefined, sent: string): ReinsError {
    const { cassettes } = this.#options;
    const what = `Request ${this.#requests} isn’t the one that was recorded`;
    if (due !== undefined)
      return new ReinsError('replay-diverged', `${what} as ${due.number}: ${this.#difference(due, sent)}`);
    const last = cassettes.at(-1);
    const end = last === undefined ? '' : ` Against the last one it differs ${this.#difference(last, sent)}`;
    const many = cassettes.length === 1 ? 'one exchange' : `${cassettes.length} exchanges`;
    return new ReinsError('replay-diverged', `${what}: the recording has ${many}, and all were played.${end}`);
  }

  #difference(cassette: Cassette, sent: string): string {
    const divergence = divergenceOf(this.#recorded(cassette), sent);
    return divergence === undefined ? 'in nothing.' : divergenceText(divergence);
  }

  #recorded(cassette: Cassette): string {
    const known = this.#normalised.get(cassette) ?? normalisedBody(cassette.request.body, cassette.surroundings);
    this.#normalised.set(cassette, known);
    return known;
  }

  async #play(cassette: Cassette, signal: AbortSignal, sink: HttpSink): Promise<HttpEnd> {
    const { surroundings, now } = this.#options;
    const { response, end } = cassette;
    if (response !== undefined) {
      const answeredAt = cassette.sentAt + response.at;
      const headers = shiftedHeaders(response.headers, now() - answeredAt);
      sink.head({ status: response.status, headers });
      const isStream = !/json|html/i.test(headers['content-type'] ?? '');
      const editor = placesEditor(cassette.surroundings, surroundings);
      const pieces = editedPieces(
        response.pieces.map(({ bytes }) => bytes),
        isStream,
        editor,
      );
      for (const piece of pieces) {
        // A turn of the event loop for each, so that a cancel gets through.
        await nextTurn();
        if (signal.aborted) return { kind: 'aborted', sent: true };
        if (piece.length > 0 && !sink.data(piece)) return { kind: 'enough' };
      }
    }
    return endOf(cassette.number, end);
  }
}

/** Whoever cancelled then isn't here to do it again: what broke off breaks off. */
function endOf(number: number, end: Cassette['end']): HttpEnd {
  const { at: _, ...ended } = end;
  if (ended.kind === 'enough') return { kind: 'ended' };
  if (ended.kind !== 'aborted') return ended;
  const message = `Exchange ${number} was cancelled when it was recorded; there is no more of it.`;
  return { kind: 'broken', problem: 'lost', message, sent: true };
}

function isAlike(recorded: string, sent: string): boolean {
  const shape = shapeOf(recorded);
  return shape !== undefined && shape === shapeOf(sent);
}
