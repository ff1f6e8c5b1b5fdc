/** Reasoning between tags at the beginning of a text, told apart as the pieces come in. */

const opening = '<think>';
const closing = '</think>';

/** A piece of the text as it is understood. */
export interface Told {
  type: 'text' | 'thinking';
  text: string;
}

export class ThinkTags {
  private state: 'begin' | 'inside' | 'behind' | 'text' = 'begin';
  /** What isn't decided yet: white space, and the beginning of a tag. */
  private held: string[] = [];
  /** What has come of a tag. */
  private tag = '';
  private opened = '';
  private closed = '';

  /** What stood around the reasoning, so that it can go back as it came; undefined where there was none, or where it never ended. */
  get around(): { before: string; after: string } | undefined {
    return this.closed === '' ? undefined : { before: this.opened, after: this.closed };
  }

  /** What a piece decides, in its order. */
  push(piece: string): Told[] {
    if (piece === '') return [];
    switch (this.state) {
      case 'begin':
        return this.begin(piece);
      case 'inside':
        return this.inside(piece);
      case 'behind':
        return this.behind(piece);
      default:
        return [{ type: 'text', text: piece }];
    }
  }

  /** The text is over: what was held back is what it looks like. */
  end(): Told[] {
    const rest = this.held.join('') + (this.state === 'inside' ? this.tag : '');
    this.held = [];
    this.tag = '';
    if (this.state === 'behind') this.closed += rest;
    if (rest === '' || this.state === 'behind') return [];
    return [{ type: this.state === 'inside' ? 'thinking' : 'text', text: rest }];
  }

  private begin(piece: string): Told[] {
    this.held.push(piece);
    this.tag += this.tag === '' ? piece.trimStart() : piece;
    if (this.tag.length < opening.length && opening.startsWith(this.tag)) return [];
    const all = this.held.join('');
    const tag = this.tag;
    this.held = [];
    this.tag = '';
    if (!tag.startsWith(opening)) {
      this.state = 'text';
      return [{ type: 'text', text: all }];
    }
    this.opened = all.slice(0, all.length - tag.length) + opening;
    this.state = 'inside';
    return this.push(tag.slice(opening.length));
  }

  private inside(piece: string): Told[] {
    const text = this.tag + piece;
    const end = text.indexOf(closing);
    if (end >= 0) {
      this.tag = '';
      this.closed = closing;
      this.state = 'behind';
      return [...thinking(text.slice(0, end)), ...this.push(text.slice(end + closing.length))];
    }
    const kept = beginningAtEnd(text);
    this.tag = text.slice(text.length - kept);
    return thinking(text.slice(0, text.length - kept));
  }

  /** White space after the closing tag belongs to neither. */
  private behind(piece: string): Told[] {
    const text = piece.trimStart();
    if (text === '') {
      this.held.push(piece);
      return [];
    }
    this.closed += this.held.join('') + piece.slice(0, piece.length - text.length);
    this.held = [];
    this.state = 'text';
    return [{ type: 'text', text }];
  }
}

function thinking(text: string): Told[] {
  return text === '' ? [] : [{ type: 'thinking', text }];
}

/** Characters at the end of a text that may begin the closing tag. */
function beginningAtEnd(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length -= 1) {
    if (closing.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
