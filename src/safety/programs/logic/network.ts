/** Programs that talk to other machines, where their words decide what for. */
import { applyOptions, applyWords, placeWords } from '../apply.ts';
import { hostOf } from '../hosts.ts';
import type { Word } from '../invocation.ts';
import { gives, parseOptions } from '../options.ts';
import type { Call } from './call.ts';

/** Addresses without `https://` are fine for curl and wget. */
function fetchFrom({ report, name }: Pick<Call, 'report' | 'name'>, words: Word[]): void {
  for (const word of words) {
    const { text } = word;
    const isBare = text !== null && !/^[a-z][\w+.-]*:\/\//i.test(text);
    report.word('url', isBare ? { source: word.source, text: `http://${text}` } : word, name);
    if (text !== null && /^file:\/\//i.test(text))
      report.path('read', { source: text, text: text.slice(7) }, name, false);
  }
}

export function curl({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  fetchFrom({ report, name }, parsed.words);
  checkRefs(report, name, words);
  if (gives(parsed, '-O', '--remote-name', '--remote-name-all'))
    parsed.words.forEach((word) => savesAs(report, name, word));
  for (const { name: option, value } of parsed.options) {
    if (/^(-d|-F|--data.*|--json|--form)$/.test(option) && option !== '--data-raw') readsFile({ report, name }, value);
  }
}

/** A branch or tag of a server that is removed or moved by force, without a push. */
function checkRefs(report: Call['report'], name: string, words: readonly Word[]): void {
  const texts = words.map(({ text }) => text ?? '');
  const isOfRefs = texts.some((text) => /\/git\/refs(?:\/|$)|\/repository\/(?:branches|tags)\//.test(text));
  const removes = texts.some((text) => /^(?:-X|--(?:method|request)=)?DELETE$/i.test(text));
  const forces = texts.some((text) => /(?:^|=)force=true$|"force"\s*:\s*true/.test(text));
  if (isOfRefs && (removes || forces)) report.effect('destroy', `${name} removes or overwrites what is on the server`);
}

/** Under the last name of its address, in the folder that it runs in. */
function savesAs(report: Call['report'], name: string, { source, text }: Word): void {
  const [, file] = /\/([^/?#]+)(?:[?#].*)?$/.exec(text ?? '') ?? [];
  if (file !== undefined) report.path('write', { source, text: file }, name, false);
}

/** `-d @file`, `-F x=@file`: what is sent comes from there. */
function readsFile({ report, name }: Pick<Call, 'report' | 'name'>, value: Word | undefined): void {
  const [, path] = /(?:^|=)[@<]([^;]+)/.exec(value?.text ?? '') ?? [];
  if (path !== undefined) report.path('read', { source: path, text: path }, name, false);
}

/** Without `-O -` it writes what it gets. */
export function wget({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  fetchFrom({ report, name }, parsed.words);
  const target = parsed.options.find((option) => option.name === '-O' || option.name === '--output-document');
  const isLook = gives(parsed, '--spider');
  if (target === undefined && !isLook) report.effect('write', 'wget writes what it gets');
  if (target?.value?.text === '-' || isLook) return;
  if (target !== undefined) return;
  const folder = parsed.options.find((option) => option.name === '-P' || option.name === '--directory-prefix')?.value;
  if (folder === undefined) report.path('write', { source: '.', text: '.' }, name, true);
  else report.enter(folder);
  parsed.words.forEach((word) => savesAs(report, name, word));
}

export function dig({ report, words }: Call): void {
  for (const { text } of words) if (text?.startsWith('@') === true) report.host(text.slice(1));
}

export function rsync({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  const isList = parsed.words.length < 2 || gives(parsed, '--list-only');
  applyOptions(report, program, name, parsed);
  if (!isList) report.effect('write', 'rsync copies files');
  for (const word of parsed.words) {
    if (word.text === null || hostOf(word.text) !== undefined)
      report.effect('execute', 'rsync starts a program to reach another machine');
  }
  placeWords(report, isList ? '...remote' : '...remote upload', name, parsed.words);
}

/** `ssh-keygen -l`: the fingerprint of a key. */
export function keygen({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (!gives(parsed, '-l')) report.effect('write', 'ssh-keygen writes keys');
}

export function keyadd({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (!gives(parsed, '-l', '-L')) report.effect('execute', 'ssh-add changes which keys are at hand');
}

const objects =
  /^(a|ad|add|addr|addre|addres|address|l|li|lin|link|r|ro|rou|rout|route|n|ne|nei|neig|neigh|neighbor|neighbour|ru|rul|rule|maddr|maddress|tunnel|netns|mroute|nexthop)$/;

/** `ip OBJECT [show|list|get]`; any other verb changes something. */
export function ip({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  const [object, verb, ...rest] = parsed.words.map(({ text }) => text);
  if (object === undefined) return;
  const isLook = verb === undefined || (verb !== null && /^(sh|sho|show|ls|lst|list|get)$/.test(verb));
  if (object === null || !objects.test(object) || !isLook || rest.includes(null))
    report.effect('execute', `ip ${object ?? ''} ${verb ?? ''} changes the network`);
}

export function ifconfig({ report, program, name, words }: Call): void {
  const parsed = parseOptions(program, name, words);
  applyOptions(report, program, name, parsed);
  if (parsed.words.length > 1) report.effect('execute', 'ifconfig changes the network');
}

/** Reads unless a method or fields say otherwise. */
export function ghApi({ report, program, name, words }: Call): void {
  const api = {
    ...program,
    values: {
      text: '-X -f -F -H -q -t -p --method --field --raw-field --header --jq --template --preview --cache --hostname',
      read: '--input',
    },
  } as const;
  const parsed = parseOptions(api, name, words);
  applyWords(report, api, name, parsed);
  report.host('api.github.com');
  checkRefs(report, name, words);
  const sends = parsed.options.some(
    ({ name: option, value }) =>
      /^(-f|-F|--field|--raw-field|--input)$/.test(option) || (/^(-X|--method)$/.test(option) && value?.text !== 'GET'),
  );
  if (sends) report.effect('write', 'gh api changes what is on the server');
}
