/** Gathers what is found of one simple command. */
import { resolve } from 'node:path';
import type { Effect, TouchedPath } from '../../core/index.ts';
import type { Findings, Invocation, Place, Word } from './invocation.ts';
import { beginning, isOneWord } from './options.ts';
import { fetchedBy } from './fetched-code.ts';
import type { WordKind } from './table.ts';
import { hostOf } from './hosts.ts';

const pathKinds: { readonly [kind in WordKind]?: { access: TouchedPath['access']; recursive?: boolean } } = {
  read: { access: 'read' },
  tree: { access: 'read', recursive: true },
  program: { access: 'read' },
  write: { access: 'write' },
  change: { access: 'write', recursive: true },
  destroy: { access: 'destroy' },
  raze: { access: 'destroy', recursive: true },
};

/** What a shell or the system makes of these names is no file that changes. */
const noFiles = /^\/dev\/(null|stdout|stderr|stdin|tty|zero|full|fd\/\d+)$/;
const device =
  /^\/dev\/(?!shm\/|pts\/)(sd|hd|vd|xvd|nvme|mmcblk|loop|dm-|md|sr|disk|mapper\/|rdisk|mem|kmem|port|nvram|mtd|ram|sg|input\/)/;

/** Which effect the one reason is about, where there are several. */
const ranks: readonly Effect[] = ['destroy', 'cannot-tell', 'execute', 'network', 'write'];

export class Report {
  readonly findings: Findings = {
    effects: ['read'],
    paths: [],
    guesses: [],
    hosts: [],
    runs: [],
    scripts: [],
    code: [],
    programs: [],
    written: [],
  };
  readonly invocation: Invocation;
  readonly place: Place;
  /** The folder that relative paths start from where it isn't that of the command (`git -C`); null where it can't be told. */
  base: string | null = '.';
  /** Of the effect that the reason is about. */
  #rank: number | undefined;

  constructor(invocation: Invocation, place: Place) {
    this.invocation = invocation;
    this.place = place;
  }

  /** Any effect but `read` takes its place; reading goes without saying then. */
  effect(effect: Effect, reason: string): void {
    if (effect === 'read') return;
    const { effects } = this.findings;
    if (!effects.includes(effect)) effects.push(effect);
    const rank = ranks.indexOf(effect);
    if (this.#rank !== undefined && this.#rank <= rank) return;
    this.#rank = rank;
    this.findings.reason = reason;
  }

  doubt(reason: string): void {
    this.effect('cannot-tell', reason);
  }

  host(host: string): void {
    if (!this.findings.hosts.includes(host)) this.findings.hosts.push(host);
  }

  run(words: Word[], as: string, folder?: string | null): void {
    if (words.length > 0) this.findings.runs.push({ words, as, ...(folder !== undefined && { folder }) });
  }

  script(text: string | null, as: string, folder?: string | null, given?: Word[]): void {
    this.findings.scripts.push({
      text,
      as,
      ...(folder !== undefined && { folder }),
      ...(given !== undefined && { given }),
    });
    if (text === null) this.doubt(`what ${as} runs can’t be told`);
  }

  /** A word that is a command line; each that it may be counts where it can't be told. */
  scriptOf(word: Word, as: string, given?: Word[]): void {
    const { text, isPattern, may = [] } = word;
    this.findings.code.push(word);
    this.script(isPattern === true ? null : text, as, undefined, given);
    if (text === null) for (const each of may) this.script(each, as, undefined, given);
  }

  runsInput(by: string): void {
    this.findings.runsInput = true;
    this.doubt(`${by} runs what it reads`);
  }

  /** A word that is a path, an address or a program; `by` names who takes it so. */
  word(kind: WordKind, word: Word, by: string): void {
    const path = pathKinds[kind];
    if (path !== undefined) this.path(path.access, word, by, path.recursive === true);
    if (kind === 'program') this.findings.programs.push(word);
    if (kind === 'code') {
      this.findings.code.push(word, ...fetchedBy(word));
      this.effect('execute', `${by} runs code that is given to it`);
      this.doubt(`${by} runs code that is given to it`);
    } else if (kind === 'program') this.effect('execute', `${by} runs ${word.source}`);
    else if (kind === 'made') this.effect('write', `${by} sets ${word.source}`);
    else if (kind === 'script') this.scriptOf(word, by);
    else if (kind === 'unknown') this.doubt(`what ${by} does with ${word.source} can’t be told`);
    else if (kind === 'host' || kind === 'url') this.#network(word, by, kind === 'host');
    else if (kind === 'remote' || kind === 'upload' || kind === 'place') this.#remote(kind, word, by);
  }

  path(access: TouchedPath['access'], word: Word, by: string, recursive: boolean): void {
    const text = word.text;
    const isKnown = text !== null;
    if (access !== 'read') {
      if (isKnown && noFiles.test(text)) return;
      this.effect(access, `${by} ${access === 'write' ? 'writes' : 'does away with'} ${word.source}`);
      if (isKnown && device.test(text)) this.effect('destroy', `${by} writes the device ${text}`);
      if (!isKnown) this.findings.written.push(word);
      if (!isKnown)
        this.doubt(`${by} ${access === 'write' ? 'writes' : 'does away with'} ${word.source}, which can’t be told`);
    }
    if (isKnown && text !== '-' && !noFiles.test(text)) {
      const path = text.startsWith('/') || text.startsWith('~') || this.base === '.' ? text : this.#based(text);
      if (path !== undefined) this.findings.paths.push({ access, path, ...(recursive && { recursive }) });
      else if (access !== 'read') this.doubt(`the folder that ${by} works in can’t be told`);
    }
    if (!isKnown) this.#guess(access, word, recursive);
  }

  /** What a word that can't be told may be counts as well, as a guess. */
  #guess(access: TouchedPath['access'], { may = [], bare, prefix }: Word, recursive: boolean): void {
    const { guesses } = this.findings;
    const add = (path: string, because: 'named' | 'empty') =>
      guesses.push({ access, path, ...(recursive && { recursive }), because });
    for (const text of may) {
      const path = text.startsWith('/') || this.base === '.' ? text : this.#based(text);
      if (path !== undefined && text !== '') add(path, 'named');
    }
    const rest = bare ?? (prefix === '/' ? prefix : undefined);
    if (rest !== undefined && access === 'destroy') add(rest, 'empty');
  }

  #based(path: string): string | undefined {
    return this.base === null ? undefined : `${this.base}/${path}`;
  }

  /** From here on paths start from another folder, itself seen from the one before. */
  enter(folder: Word): void {
    if (folder.text === null || folder.isPattern === true) this.base = null;
    else if (folder.text.startsWith('/') || this.base === '.') this.base = folder.text;
    else if (this.base !== null) this.base = `${this.base}/${folder.text}`;
  }

  /** The folder, absolute, that the program works in; null where it can't be told. */
  get folder(): string | null {
    const { folder } = this.invocation;
    return folder === null || this.base === null ? null : resolve(folder, this.base);
  }

  #network(word: Word, by: string, isHost: boolean): void {
    this.effect('network', `${by} talks to ${word.source}`);
    const known = word.text ?? (isOneWord(word) ? beginning(word) : '');
    const host = isHost && word.text !== null ? (hostOf(known) ?? bareHost(known)) : hostOf(known, word.text === null);
    if (host !== undefined) this.host(host);
  }

  #remote(kind: 'remote' | 'upload' | 'place', word: Word, by: string): void {
    const host = word.text === null ? undefined : hostOf(word.text);
    if (host !== undefined) {
      this.effect('network', `${by} talks to ${host}`);
      this.host(host);
    } else if (kind === 'remote' && word.text?.includes('://') === true) {
      this.effect('network', `${by} may talk to ${word.source}`);
    } else if (kind === 'remote') this.path('read', word, by, true);
    else if (kind === 'upload') this.path('write', word, by, true);
    else if (word.text === null) this.doubt(`${by} works with ${word.source}, which can’t be told`);
  }
}

function bareHost(text: string): string | undefined {
  const host = text.replace(/^[^@]*@/, '');
  return /^[\w.:[\]-]+$/.test(host) ? host : undefined;
}
