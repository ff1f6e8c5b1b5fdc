/** Step 10, before the bound: what a tool gives is data. What would be obeyed, hides or pretends is shown for what it is, and flagged. */
import type { CallOutcome, JsonObject, Record as RecordEvent } from '../../core/index.ts';
import type { Effects, Suspicion } from '../needs.ts';
import { count, cutLine, defused, defuseMarks, showUnseen, visible } from '../text/index.ts';

export interface Shown {
  text: string;
  /** What was shown other than it is, for the model; empty where nothing was. */
  note: string;
}

/** Blobs and files keep what was there: only what is shown is another. */
export function asData(text: string): Shown {
  const printable = visible(text);
  const seen = showUnseen(printable);
  const shown = defuseMarks(seen);
  const notes = [
    ...(seen === printable ? [] : ['characters that can’t be seen are written out, as \\u{202e} is']),
    ...(shown === seen ? [] : [`${defused} stands where a mark of models begins that is there (< or [)`]),
  ];
  return { text: shown, note: notes.length === 0 ? '' : `\n[Shown otherwise than it is: ${notes.join('; ')}.]` };
}

/** The same in one text, for what comes to the model by other ways than results. */
export function shownAsData(text: string): string {
  const shown = asData(text.trimEnd());
  return `${shown.text}${shown.note}`;
}

/** Sources that are told of in one session; a person reads no more of it. */
const mostTold = 20;
/** Characters of a source, and of what it says, in a notice. */
const sourceShown = 120;
const quoteShown = 160;

/** Finds what looks like orders to the model, and tells a person once for each source. */
export class Suspicions {
  readonly #inspect: ((text: string) => Promise<Suspicion[]>) | undefined;
  readonly #told = new Set<string>();

  constructor(inspect: ((text: string) => Promise<Suspicion[]>) | undefined) {
    this.#inspect = inspect;
  }

  async look(
    call: { key: string; tool: string; arguments: JsonObject },
    effects: Effects | undefined,
    { text }: Pick<CallOutcome, 'text'>,
    record: RecordEvent,
  ): Promise<void> {
    // What only writes repeats the model's own words.
    const quotes = effects?.effects.some((effect) => effect !== 'write' && effect !== 'destroy') ?? true;
    if (this.#inspect === undefined || !quotes) return;
    const source = sourceOf(call);
    if (this.#told.has(source) || this.#told.size >= mostTold) return;
    const [first, ...more] = await this.#inspect(text);
    if (first === undefined) return;
    this.#told.add(source);
    // A tool that numbers lines numbers those of its source.
    const place = /^\s*(\d+)\S{0,12}\t/.exec(text.split('\n')[first.line - 1] ?? '')?.[1] ?? first.line;
    const quote = cutLine(visible(showUnseen(first.quote)), quoteShown);
    const others = more.length === 0 ? '' : ` (and ${count(more.length, 'more place')})`;
    const end = this.#told.size === mostTold ? ' Further sources of this session are not told of.' : '';
    await record({
      kind: 'notice',
      data: {
        code: 'content-suspicious',
        level: 'warning',
        text: `What ${source} gave holds words that look like orders to the model, in line ${place}${others}: “${quote}”. The model got them as data; watch what it does next.${end}`,
        data: { call: call.key, source, kind: first.kind, line: Number(place), quote, more: more.length },
      },
    });
  }
}

/** The page, file or command that it came from. */
function sourceOf({ tool, arguments: args }: { tool: string; arguments: JsonObject }): string {
  const named = ['url', 'path', 'command', 'id'].map((name) => args[name]).find((value) => typeof value === 'string');
  const what = typeof named === 'string' ? `${tool} ${named}` : tool;
  return cutLine(visible(showUnseen(what)).replaceAll('\n', ' '), sourceShown);
}
