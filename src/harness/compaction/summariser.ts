/** Has older turns summarised by the model that is routed to it, in pieces where its window wants that; whatever goes wrong leaves the lists of files. */
import { loadCompaction } from '../../context/index.ts';
import {
  bytesPerToken,
  ReinsError,
  routed,
  targetName,
  windowOf,
  type EventId,
  type Segment,
  type Summarised,
  type Summariser,
  type SummaryOrder,
  type Target,
} from '../../core/index.ts';
import { askAside, SideModel } from '../asides/index.ts';
import type { Beside } from '../models/index.ts';
import type { OpenRecord } from '../record.ts';
import { filesOf } from './files.ts';

/** Milliseconds for one question. */
const timeout = 180_000;
/** Questions for one summary at most. */
const mostPieces = 6;
/** Shares of the window that a piece takes, at the first and at the second try; and what a model may think before it answers. */
const pieceShares = [0.5, 0.25] as const;
const thinkingShare = 0.2;
const mostThinking = 4_000;
/** Words of a token, for what is asked for; characters of one, for the size of a piece. */
const wordsPerToken = 0.6;

type Summary = NonNullable<Summarised['summary']>;

/** `connect` leads to the models of the setup. */
export function summariserFor(connect: Beside['connect'], record: OpenRecord): Summariser {
  return new ModelSummariser(connect, record);
}

class ModelSummariser implements Summariser {
  readonly #connect: Beside['connect'];
  readonly #record: OpenRecord;

  constructor(connect: Beside['connect'], record: OpenRecord) {
    this.#connect = connect;
    this.#record = record;
  }

  async summarise(order: SummaryOrder, signal: AbortSignal): Promise<Summarised> {
    const { segments, gist } = order.view.transcript;
    const at = segments.findIndex(({ id }) => id === order.tail);
    const older = segments.slice(0, Math.max(0, at));
    const files = filesOf(
      order.view,
      older.flatMap(({ calls }) => calls),
    );
    const { shownSummary } = await loadCompaction();
    const made = await this.#summaryOf(older, order, signal);
    // An earlier summary is better than none.
    const summary = 'problem' in made ? gist?.summary : made;
    const problem = 'problem' in made ? { problem: made.problem } : {};
    const written = { ...(summary !== undefined && { summary }), files };
    return { shown: shownSummary(written), ...written, ...problem };
  }

  /** A routed model that fails gives way to the run's own; that one is asked once more, in smaller pieces. */
  async #summaryOf(older: Segment[], order: SummaryOrder, signal: AbortSignal): Promise<Summary | { problem: string }> {
    const { setup } = order.view;
    if (setup === undefined) return { problem: 'no model can be asked for one here' };
    const first = routed(order.view, 'summary')?.target ?? setup;
    const problems: string[] = [];
    for (const [index, share] of pieceShares.entries()) {
      const target = index === 0 ? first : setup;
      try {
        const made = await this.#askInPieces({ target, share, connect: this.#connect }, older, order, signal);
        if (!('problem' in made)) return made;
        problems.push(`${targetName(target)}: ${made.problem}`);
        if (made.isFinal === true) break;
      } catch (error) {
        if (!(error instanceof ReinsError) || error.code === 'log-append-failed') throw error;
        problems.push(`${targetName(target)}: ${error.detail}`);
      }
    }
    return { problem: [...new Set(problems)].join('; then ') };
  }

  async #askInPieces(
    { target, share, connect }: { target: Target; share: number; connect: Beside['connect'] },
    older: Segment[],
    { view, most, window: own, focus }: SummaryOrder,
    signal: AbortSignal,
  ): Promise<Summary | { problem: string; isFinal?: boolean }> {
    const { historyPieces, readSummary, summaryPrompt, summaryTask } = await loadCompaction();
    const window = target === view.setup ? own : windowOf(view, target);
    const { gist } = view.transcript;
    const pieces = historyPieces(older, gist?.shown, window * share * bytesPerToken(view, target), mostPieces);
    const model = new SideModel({ target, connect }, this.#record, 'summary');
    const maxOutput = Math.round(most + Math.min(mostThinking, window * thinkingShare));
    const asides: EventId[] = [];
    let text = gist?.summary?.text;
    for (const piece of pieces) {
      const before = text === undefined ? '' : `${JSON.stringify({ summary: text })}\n`;
      const asked = `${summaryTask(Math.round(most * wordsPerToken), focus)}\n\n${before}${piece}`;
      const question = { purpose: 'summary', timeout, system: summaryPrompt.text, text: asked, maxOutput } as const;
      const answer = await askAside(model, this.#record, question, signal);
      if ('problem' in answer)
        return { problem: answer.problem, isFinal: answer.aside === undefined || signal.aborted };
      const read = readSummary(answer.text, most);
      if ('problem' in read) return { problem: `its summary can’t be used: ${read.problem}` };
      asides.push(answer.aside);
      text = read.text;
    }
    return text === undefined ? { problem: 'there was nothing to summarise' } : { text, asides };
  }
}
