/** What a terminal sends, on its way to the line editor. Pure. */

const begin = '\u001b[200~';
const end = '\u001b[201~';
/** Asks a terminal to say where a paste begins and ends, and takes it back. */
export const pasteOn = '\u001b[?2004h';
export const pasteOff = '\u001b[?2004l';

/** A pasted line end is a backslash and Enter: it sends nothing, and there is one way to say several lines. */
const goesOn = '\\\r';

/** Turns pastes into typed text. Pasted control characters are left out: they are no keys. */
export class Pastes {
  #isInside = false;
  /** What may be the beginning of the mark of a paste's end. */
  #held = '';
  #endsInReturn = false;

  take(chunk: string): string {
    let rest = this.#held + chunk;
    this.#held = '';
    let keys = '';
    for (;;) {
      const mark = this.#isInside ? end : begin;
      const at = rest.indexOf(mark);
      if (at < 0) break;
      keys += this.#isInside ? this.#pasted(rest.slice(0, at)) : rest.slice(0, at);
      rest = rest.slice(at + mark.length);
      this.#isInside = !this.#isInside;
      this.#endsInReturn = false;
    }
    if (!this.#isInside) return keys + rest;
    const cut = partOfEnd(rest);
    this.#held = rest.slice(rest.length - cut);
    return keys + this.#pasted(rest.slice(0, rest.length - cut));
  }

  #pasted(text: string): string {
    // A pair of return and line feed may come in two pieces.
    const own = this.#endsInReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#endsInReturn = text.endsWith('\r');
    return own
      .replaceAll(/\r\n?|\n/g, '\n')
      .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, (control) => (control === '\t' ? '  ' : ''))
      .replaceAll('\n', goesOn);
  }
}

/** Characters at the end of a text that may be the beginning of the end's mark. */
function partOfEnd(text: string): number {
  for (let length = Math.min(end.length - 1, text.length); length > 0; length -= 1) {
    if (end.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
