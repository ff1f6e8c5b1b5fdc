/** A pattern of ripgrep as one of JavaScript, for text in which each byte that is no UTF-8 has become half of a surrogate pair. */
import { withCases } from './case.ts';
import { characterSource, classSource, wordSource } from './class-source.ts';
import { PatternError, type Assertion, type Node } from './syntax.ts';

export interface TranslateOptions {
  /** A match can span lines; else none holds a line end. */
  spansLines: boolean;
  /** `\A` and `\z` stand at the ends of the text, not of each line. */
  wholeText: boolean;
  /** A line may end with CRLF. */
  crlf: boolean;
  /** The text is plain ASCII. */
  ascii: boolean;
}

/** What no character of ripgrep stands for: it is no character. */
const notText = String.raw`\ud800-\udfff`;

/** The whole pattern. Throws a `PatternError` where JavaScript can't do the same. */
export function translate(node: Node, options: TranslateOptions): RegExp {
  const folds = new Set(foldsOf(node));
  const isFolded = folds.size === 1 && folds.has(true);
  const source = new Translator(options, folds.size > 1).wholeOf(node);
  try {
    return new RegExp(source, isFolded ? 'giv' : 'gv');
  } catch (error) {
    const isTooLarge = error instanceof SyntaxError && error.message.includes('too large');
    if (!isTooLarge) throw error;
    throw new PatternError('compiled regex exceeds size limit', -1, 0, 'unsupported');
  }
}

/** For each part for which letter case could matter, whether it doesn't. */
function foldsOf(node: Node): boolean[] {
  switch (node.kind) {
    case 'literal':
    case 'class':
      return [node.fold];
    case 'concat':
    case 'alternatives':
      return [...new Set(node.nodes.flatMap(foldsOf))];
    case 'group':
    case 'repeat':
      return foldsOf(node.node);
    default:
      return [];
  }
}

class Translator {
  readonly #options: TranslateOptions;
  /** Parts differ in whether letter case matters. */
  readonly #mixed: boolean;
  /** What no character of a match can be. */
  readonly #without: string;

  constructor(options: TranslateOptions, mixed: boolean) {
    this.#options = options;
    this.#mixed = mixed;
    const ends = options.crlf ? String.raw`\r\n` : String.raw`\n`;
    this.#without = (options.ascii ? '' : notText) + (options.spansLines ? '' : ends);
  }

  sourceOf(node: Node): string {
    const { ascii } = this.#options;
    switch (node.kind) {
      case 'empty':
      case 'flags':
        return '';
      case 'literal':
        return this.#literal(node);
      case 'dot':
        return this.#dot(node);
      case 'class':
        return classSource(node.fold && this.#mixed ? withCases(node.set) : node.set, ascii, this.#without);
      case 'assertion':
        return this.#assertion(node.assertion, node.crlf);
      case 'repeat':
        return this.#repeat(node);
      case 'group':
        return `(?:${this.sourceOf(node.node)})`;
      case 'concat':
        return this.#concat(node.nodes);
      default:
        return node.nodes.map((part) => this.sourceOf(part)).join('|');
    }
  }

  #concat(nodes: readonly Node[]): string {
    return nodes.map((part) => this.sourceOf(part)).join('');
  }

  /** A whole pattern. */
  wholeOf(node: Node): string {
    if (node.kind !== 'alternatives') return this.sourceOf(node);
    return node.nodes.map((branch) => this.#beginning(branch) + this.sourceOf(branch)).join('|');
  }

  /**
   * Where a pattern begins with any number of certain characters, its first match doesn't begin behind one of them, for then it
   * would begin there. Said so, a long line is not tried from every place in it to its end.
   */
  #beginning(branch: Node): string {
    const nodes = branch.kind === 'concat' ? branch.nodes : [branch];
    const first = nodes.find(({ kind }) => kind !== 'flags');
    if (first?.kind !== 'repeat' || first.most !== Infinity) return '';
    const { node } = first;
    if (node.kind !== 'dot' && node.kind !== 'class' && node.kind !== 'literal') return '';
    return `(?<=^|[^${node.kind === 'literal' ? `[${this.#literal(node)}]` : this.sourceOf(node)}])`;
  }

  #literal({ character, fold }: Extract<Node, { kind: 'literal' }>): string {
    if (!fold || !this.#mixed) return characterSource(character);
    return classSource(withCases({ kind: 'range', from: character, to: character }), this.#options.ascii, '');
  }

  #dot({ all, crlf }: Extract<Node, { kind: 'dot' }>): string {
    const ends = crlf ? String.raw`\r\n` : String.raw`\n`;
    const without = this.#without + (all ? '' : ends);
    return without === '' ? String.raw`[\0-\u{10ffff}]` : `[^${without}]`;
  }

  #repeat({ node, least, most, greedy }: Extract<Node, { kind: 'repeat' }>): string {
    const range = most === Infinity ? `{${least},}` : `{${least},${most}}`;
    return `(?:${this.sourceOf(node)})${range}${greedy ? '' : '?'}`;
  }

  /** Only what is there is asked for: between the halves of a pair, what isn't there is found by mistake. */
  #assertion(assertion: Assertion, crlf: boolean): string {
    const { ascii, wholeText } = this.#options;
    const word = wordSource(ascii);
    const [wordBehind, wordAhead] = [`(?<=${word})`, `(?=${word})`];
    const [otherBehind, otherAhead] = [`(?<=[^${word}]|^)`, `(?=[^${word}]|$)`];
    // These don't stand beside bytes that are no text.
    const [textBehind, textAhead] = [`(?<=[^${word}${notText}]|^)`, `(?=[^${word}${notText}]|$)`];
    switch (assertion) {
      case 'line-start':
        return crlf ? String.raw`(?<=^|\n|\r(?!\n))` : String.raw`(?<=^|\n)`;
      case 'line-end':
        return crlf ? String.raw`(?=$|\r|(?<!\r)\n)` : String.raw`(?=$|\n)`;
      case 'text-start':
        return wholeText ? '^' : String.raw`(?<=^|\n)`;
      case 'text-end':
        return wholeText ? '$' : String.raw`(?=$|\n)`;
      case 'word':
        return ascii ? String.raw`\b` : `(?:${wordBehind}${otherAhead}|${otherBehind}${wordAhead})`;
      case 'not-word':
        if (ascii) return String.raw`\B`;
        return `(?:${wordBehind}${wordAhead}|${textBehind}${textAhead})`;
      case 'word-start':
        return otherBehind + wordAhead;
      case 'word-end':
        return wordBehind + otherAhead;
      case 'word-start-half':
        return textBehind;
      default:
        return textAhead;
    }
  }
}
