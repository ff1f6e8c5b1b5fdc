/** `sed`: its script is read through for commands that write files or run programs. */
import { applyOptions, placeWords } from '../apply.ts';
import type { Word } from '../invocation.ts';
import { gives, parseOptions } from '../options.ts';
import type { Report } from '../report.ts';
import type { Call } from './call.ts';

export function sed({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const has = (...names: string[]) => gives(parsed, ...names);
  const scripts = parsed.options.filter((option) => option.name === '-e' || option.name === '--expression');
  const files = [...parsed.words];
  const given = scripts.map((option) => option.value);
  if (given.length === 0 && !has('-f', '--file')) given.push(files.shift());
  if (!has('--sandbox')) checkScripts(report, given);
  placeWords(report, has('-i', '--in-place') ? '...write' : '...read', name, files);
}

function checkScripts(report: Report, given: (Word | undefined)[]): void {
  const texts = given.map((word) => (word === undefined || word.isPattern === true ? null : word.text));
  if (texts.includes(null)) return report.doubt('what the script of sed does can’t be told');
  const finding = new SedScript(texts.join('\n')).check();
  if (finding === undefined) return;
  if (finding.path !== undefined) report.path('write', { source: finding.path, text: finding.path }, 'sed w', false);
  else report.effect(finding.effect, finding.reason);
}

interface Finding {
  effect: 'execute' | 'cannot-tell';
  reason: string;
  path?: string;
}

/** Reads a script of sed as GNU sed does; anything that it doesn't know is a finding. */
class SedScript {
  readonly #text: string;
  #at = 0;
  #hasLabel = false;

  constructor(text: string) {
    this.#text = text;
  }

  check(): Finding | undefined {
    while (this.#at < this.#text.length) {
      const finding = this.#command();
      if (finding !== undefined) return finding;
    }
    return undefined;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #command(): Finding | undefined {
    this.#skip(/[\s;]*/y);
    if (this.#at >= this.#text.length) return undefined;
    if (!this.#address()) return unclear;
    this.#skip(/[\s!]*/y);
    const command = this.#peek();
    this.#at++;
    if (command === '') return unclear;
    if ('{}=dDgGhHnNpPxzF'.includes(command)) return undefined;
    if ('lLqQ'.includes(command)) return void this.#skip(/[ \t]*\d*/y);
    // A comment or the name of a file to read goes on to the end of the line.
    if ('#rR'.includes(command)) return void this.#skip(/[^\n]*/y);
    if (':btTv'.includes(command)) return this.#label();
    if ('aic'.includes(command)) return this.#insert();
    if (command === 's') return this.#substitute();
    if (command === 'y') return this.#parts(2) ? undefined : unclear;
    if (command === 'w' || command === 'W') return this.#file();
    if (command === 'e') return runs;
    return unclear;
  }

  /** `12`, `$`, `1~2`, `/x/I`, `\cxc`, two of these with a comma, `+3`, `~4`. */
  #address(): boolean {
    if (!this.#position()) return false;
    this.#skip(/[ \t]*/y);
    if (this.#peek() !== ',') return true;
    this.#at++;
    this.#skip(/[ \t]*[+~]?/y);
    const start = this.#at;
    return this.#position() && this.#at > start;
  }

  #position(): boolean {
    if (this.#skip(/\$|\d+(?:~\d+)?/y) !== '') return true;
    if (this.#peek() === '\\') this.#at++;
    else if (this.#peek() !== '/') return true;
    if (!this.#parts(1)) return false;
    this.#skip(/[IM]*/y);
    return true;
  }

  /** For some seds a label goes on to the end of its line, for others it ends with a semicolon. */
  #label(): Finding | undefined {
    this.#skip(/[ \t]*[\w.-]*[ \t]*/y);
    if (this.#peek() === ';') this.#hasLabel = true;
    return this.#peek() === '' || ';}\n'.includes(this.#peek()) ? undefined : unclear;
  }

  /** Text up to the end of the line, and on behind a backslash. */
  #insert(): Finding | undefined {
    const text = this.#skip(/(?:\\[\s\S]|[^\n\\])*/y);
    return this.#hasLabel && text.includes('\\\n') ? unclear : undefined;
  }

  /** Reads a delimiter and as many parts that end with it; false if one doesn't end, or not for every sed in the same place. */
  #parts(count: number): boolean {
    const delimiter = this.#peek();
    if (delimiter === '' || delimiter === '\n' || delimiter === '\\') return false;
    this.#at++;
    for (let part = 0; part < count; part++) {
      const end = this.#end(delimiter, false);
      if (end === undefined || (part === 0 && this.#end(delimiter, true) !== end)) return false;
      this.#at = end + 1;
    }
    return true;
  }

  /** Where the part ends that begins here. Some seds take a delimiter in square brackets for its end, some don't. */
  #end(delimiter: string, withBrackets: boolean): number | undefined {
    let inBrackets = false;
    for (let at = this.#at; at < this.#text.length; at++) {
      const character = this.#text[at];
      if (inBrackets) inBrackets = character !== ']';
      else if (character === '\\') at++;
      else if (character === delimiter) return at;
      else if (withBrackets && character === '[') {
        inBrackets = true;
        if (this.#text[at + 1] === '^') at++;
        if (this.#text[at + 1] === ']') at++;
      }
    }
    return undefined;
  }

  #substitute(): Finding | undefined {
    if (!this.#parts(2)) return unclear;
    const flags = this.#skip(/[gpiImM\d]*/y);
    if (flags.includes('e') || this.#peek() === 'e') return runs;
    if (this.#peek() === 'w') {
      this.#at++;
      return this.#file();
    }
    this.#skip(/[ \t]*/y);
    return this.#peek() === '' || '\n;}#'.includes(this.#peek()) ? undefined : unclear;
  }

  #file(): Finding | undefined {
    const path = this.#skip(/[^\n]*/y).trim();
    return /^\/dev\/std(out|err)$/.test(path) ? undefined : { ...unclear, path };
  }
}

const unclear: Finding = { effect: 'cannot-tell', reason: 'the script of sed can’t be told apart' };
const runs: Finding = { effect: 'execute', reason: 'the script of sed runs commands (e)' };
