/** What is judged: the parts of a command line one by one, or a call of another tool as a single part. */
import type { CommandPart, Effect, GuessedPath, TouchedPath } from '../core/index.ts';
import type { JudgedCall } from './needs.ts';
import { isPath } from './paths.ts';
import { simpleCommand } from './words.ts';

export interface JudgedPart {
  tool: string;
  /** As it is written in the command line; absent where the call is none. */
  text?: string;
  /** Program and arguments; null for a word that can’t be told. Empty where there is none or nothing is known of them. */
  words: readonly (string | null)[];
  effects: readonly Effect[];
  paths: readonly TouchedPath[];
  /** Paths that it may touch. */
  guesses?: readonly GuessedPath[];
  hosts: readonly string[];
  pipedFrom?: string;
  /** Programs whose output it runs as code. */
  codeFrom: readonly string[];
  /** What it does isn’t known in full; why. */
  unclear?: string;
  /** It touches things that are no paths (`process:1`). */
  touchesOthers: boolean;
  confined: boolean;
  /** It fetches a page from a host that the user has granted. */
  fetches: boolean;
}

export function partsOf(call: JudgedCall): JudgedPart[] {
  const { command, analysis } = call.effects;
  if (command === undefined) return [partOfTool(call)];
  if (analysis === undefined) return [wholeLine(call, command, 'what it does can’t be told from its words alone')];
  const parts = analysis.parts.map((part) => partOfCommand(call, part));
  if (analysis.unclear !== undefined) return [...parts, wholeLine(call, command, analysis.unclear)];
  // Only comments, or variables that end with the line.
  return parts.length > 0 ? parts : [partOfCommand(call, nothing)];
}

const nothing: CommandPart = { text: '', words: [], effects: ['read'], paths: [], hosts: [], inside: [] };

function partOfTool({ tool, effects }: JudgedCall): JudgedPart {
  const { resources } = effects;
  const listed = resources === 'unknown' ? [] : resources;
  return {
    tool,
    words: [],
    effects: effects.effects,
    paths: listed.filter(isPath),
    hosts: effects.url === undefined ? [] : hostsOf(effects.url),
    codeFrom: [],
    touchesOthers: !listed.every(isPath),
    confined: effects.confined === true,
    fetches: effects.url !== undefined,
    ...(resources === 'unknown' && { unclear: 'what it touches isn’t known' }),
  };
}

function hostsOf(url: string): string[] {
  return URL.canParse(url) ? [new URL(url).host] : [];
}

function partOfCommand({ tool, effects }: JudgedCall, part: CommandPart): JudgedPart {
  const { text, words, paths, guesses, hosts, pipedFrom } = part;
  const isOpaque = part.effects.includes('cannot-tell') || words[0] === null;
  return {
    tool,
    text,
    words,
    effects: isOpaque ? [...new Set<Effect>([...part.effects, 'cannot-tell'])] : part.effects,
    paths,
    hosts,
    codeFrom: part.codeFrom ?? [],
    touchesOthers: false,
    confined: effects.confined === true,
    fetches: false,
    ...(guesses !== undefined && { guesses }),
    ...(pipedFrom !== undefined && { pipedFrom }),
    ...(isOpaque && { unclear: part.reason ?? 'what it does can’t be told' }),
  };
}

/** A line of which nothing is certain but, where it is one plain command, its words. */
function wholeLine({ tool, effects }: JudgedCall, command: string, unclear: string): JudgedPart {
  const simple = simpleCommand(command);
  return {
    tool,
    text: command,
    words: 'words' in simple ? simple.words : [],
    effects: [...new Set<Effect>([...effects.effects, 'cannot-tell'])],
    paths: [],
    hosts: [],
    codeFrom: [],
    touchesOthers: true,
    confined: effects.confined === true,
    fetches: false,
    unclear,
  };
}

/** The program of a word, without its folder. */
export function programName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
