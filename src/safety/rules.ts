/** How rules fit: narrow where they allow, wide where they ask or deny. */
import { matchesGlob, type TouchedPath } from '../core/index.ts';
import { fitsExactly, fitsSomehow, openFrom, type CommandPattern, type Fit } from './command-pattern.ts';
import type { CompiledRule } from './compile.ts';
import { mayBeIn } from './glob.ts';
import { mayFeedShell, mayRun, speaksOf } from './mentions.ts';
import type { JudgedPart } from './part.ts';
import { inWorkspace } from './paths.ts';
import type { PolicyPlaces } from './places.ts';
import { riskyOption } from './risky-options.ts';
import { redirects, simpleCommand } from './words.ts';

/** Whether an allow covers the part, all of it. What can’t be told isn’t covered. */
export function covers(rule: CompiledRule, part: JudgedPart, places: PolicyPlaces): boolean {
  const { tool, command, paths, hosts, risk, pipedFrom, codeFrom } = rule;
  if (tool !== undefined && tool !== part.tool) return false;
  if (command !== undefined && !coversCommand(rule, part)) return false;
  const isConditional = paths !== undefined || hosts !== undefined || risk !== undefined;
  if (isConditional && (part.unclear !== undefined || part.effects.includes('cannot-tell'))) return false;
  if (paths !== undefined && !coversPaths(rule, paths, part, places)) return false;
  if (hosts !== undefined && !coversHosts(hosts, part, command === undefined)) return false;
  if (risk !== undefined && !part.effects.every((effect) => effect === 'read' || effect === risk)) return false;
  if (pipedFrom !== undefined && !pipedFrom.includes(part.pipedFrom ?? '')) return false;
  return codeFrom === undefined || (part.codeFrom.length > 0 && part.codeFrom.every((each) => codeFrom.includes(each)));
}

function coversCommand({ command }: CompiledRule, { text, words }: JudgedPart): boolean {
  if (command === undefined || text === undefined || !fitsExactly(command, words)) return false;
  if (!isPlain(text, words)) return false;
  const from = openFrom(command);
  const known = words.filter((word) => word !== null);
  return from === undefined || riskyOption(known, from) === undefined;
}

/** Nothing stands beside its words that acts: no redirection to a file, no variable that is set for it. */
function isPlain(text: string, words: readonly (string | null)[]): boolean {
  const simple = simpleCommand(text);
  // A variable that is set in front is a word of it there, and none of the command.
  if ('words' in simple && simple.words.length === words.length) return true;
  return redirects(text).length === 0 && !/^\s*[\w.[\]]+\+?=/.test(text) && !/[\n`]|\$\(|<\(|>\(/.test(text);
}

function coversPaths(rule: CompiledRule, paths: string, part: JudgedPart, places: PolicyPlaces): boolean {
  if (
    part.touchesOthers ||
    (rule.command === undefined && part.effects.some((each) => each === 'execute' || each === 'network'))
  ) {
    return false;
  }
  const wanted = rule.access;
  return (
    part.paths.length > 0 &&
    part.paths.every(
      ({ access, path }) =>
        (wanted === undefined || (wanted === 'read') === (access === 'read')) &&
        spelled(path, paths, places).some((spelling) => matchesGlob(spelling.path, spelling.pattern)),
    )
  );
}

function coversHosts(hosts: readonly string[], { hosts: named, effects }: JudgedPart, alone: boolean): boolean {
  if (alone && !effects.every((effect) => effect === 'read' || effect === 'network')) return false;
  return named.length > 0 && named.every((host) => hosts.some((pattern) => isHost(host, pattern)));
}

/** Why a deny or ask touches the part; `maybe` where that rests on something that can’t be told. */
export interface Touch {
  why: string;
  maybe: boolean;
}

/** Wide: a part is touched when it may be what the rule names. */
export function touches(rule: CompiledRule, part: JudgedPart, places: PolicyPlaces): Touch | undefined {
  const reasons: Touch[] = [];
  for (const find of conditions) {
    const found = find(rule, part, places);
    if (found === 'no') return undefined;
    if (found !== 'none') reasons.push(found);
  }
  if (reasons.length === 0)
    return rule.tool === part.tool ? { why: `it is a call of ${part.tool}`, maybe: false } : undefined;
  return { why: reasons.map(({ why }) => why).join(', and '), maybe: reasons.some(({ maybe }) => maybe) };
}

/** `none`: the rule names nothing of the kind. */
type Found = Touch | 'no' | 'none';
type Condition = (rule: CompiledRule, part: JudgedPart, places: PolicyPlaces) => Found;

const conditions: readonly Condition[] = [ofTool, ofCommand, ofPaths, ofHosts, ofRisk, ofPipe, ofCode];

function ofTool({ tool, paths, command }: CompiledRule, part: JudgedPart): Found {
  if (tool === undefined || tool === part.tool) return 'none';
  // Reading and writing are meant, whoever does it; which of them is for the paths to say.
  if (paths !== undefined && ['read', 'write', 'edit'].includes(tool)) return 'none';
  return tool === 'shell' && command !== undefined ? 'none' : 'no';
}

function ofCommand(rule: CompiledRule, part: JudgedPart): Found {
  const { command } = rule;
  if (command === undefined) return 'none';
  if (part.text === undefined) return 'no';
  if (rule.shipped === true && asksForHelp(part)) return 'no';
  const fit: Fit = fitsSomehow(command, part.words);
  if (fit === 'yes') return { why: `${quoted(part.text)} is that`, maybe: false };
  const needsNet = part.unclear !== undefined;
  if (rule.shipped === true) {
    // What is known to read only is no such thing, whatever its unknown words are.
    const isRead = part.unclear === undefined && part.effects.every((effect) => effect === 'read');
    const isSpoken =
      fit === 'maybe' ? !isRead && part.words[0] !== null : needsNet && speaksIn(codeIn(part, part.text), command);
    return isSpoken ? { why: `${quoted(part.text)} could be that`, maybe: true } : 'no';
  }
  const shown = command.words.map(({ text }) => text).join(' ');
  if (fit === 'maybe')
    return { why: `${quoted(part.text)} could be \`${shown}\`: a word of it can’t be told`, maybe: true };
  const mentioned = needsNet ? mayRun(part.text, literal(command)) : undefined;
  return mentioned === undefined ? 'no' : { why: mentioned, maybe: true };
}

/** It is known to print how the program is used, and to do nothing else. */
function asksForHelp({ words, effects, unclear }: JudgedPart): boolean {
  const isRead = unclear === undefined && effects.every((effect) => effect === 'read');
  return isRead && /^--(?:help|version)$/.test(words.at(-1) ?? '');
}

function speaksIn(code: string, command: CommandPattern): boolean {
  return code !== '' && speaksOf(code, spoken(command));
}

/** What of a part may be code: all of a line that can’t be told apart, else the words that are more than a name or a value. */
function codeIn(part: JudgedPart, text: string): string {
  const { words } = part;
  if (words.length === 0) return text;
  const code = codes.get(part) ?? words.filter((word) => word !== null && /[\s('"`;|&]/.test(word)).join('\n');
  codes.set(part, code);
  return code;
}

/** Many rules ask about one part. */
const codes = new WeakMap<JudgedPart, string>();

/** All words of a pattern but those that stand for any. */
function spoken({ words }: CommandPattern): string[] {
  return words.map(({ text }) => text).filter((text) => text !== '*');
}

/** The words of a pattern that are spelled out. */
export function literal({ words }: CommandPattern): string[] {
  return words.filter(({ text, isQuoted }) => isQuoted || !/[*?]/.test(text)).map(({ text }) => text);
}

function ofPaths(rule: CompiledRule, part: JudgedPart, places: PolicyPlaces): Found {
  const { paths } = rule;
  if (paths === undefined) return 'none';
  const hit = part.paths.find((touched) => {
    if (!isConcerned(rule, part.tool, touched)) return false;
    // What is looked through as a whole isn’t what a rule means by reading; what is changed as a whole is.
    const below = touched.recursive === true && touched.access !== 'read';
    return spelled(touched.path, paths, places).some(({ path, pattern }) => mayBeIn(path, pattern, below));
  });
  return hit === undefined ? 'no' : { why: `it touches ${hit.path}`, maybe: false };
}

function isConcerned({ tool: ruled, access: wanted }: CompiledRule, tool: string, { access }: TouchedPath): boolean {
  if (wanted !== undefined && (wanted === 'read') !== (access === 'read')) return false;
  if (ruled === 'read') return tool !== 'write' && (tool !== 'shell' || access === 'read');
  if (ruled === 'write' || ruled === 'edit') return access !== 'read';
  return true;
}

/** A path and a pattern as they are to be compared: both absolute, or both relative to the workspace. */
function spelled(
  path: string,
  pattern: string,
  { workspace, home }: PolicyPlaces,
): { path: string; pattern: string }[] {
  if (pattern.startsWith('/')) return [{ path, pattern }];
  if (pattern.startsWith('~/')) return home === undefined ? [] : [{ path, pattern: `${home}${pattern.slice(1)}` }];
  const relative = inWorkspace(path, workspace);
  return relative === undefined ? [] : [{ path: relative, pattern: pattern.replace(/^(?:\.\/)+/, '') }];
}

function ofHosts({ hosts }: CompiledRule, part: JudgedPart): Found {
  if (hosts === undefined) return 'none';
  const hit = part.hosts.find((host) => hosts.some((pattern) => isHost(host, pattern)));
  if (hit !== undefined) return { why: `it talks to ${hit}`, maybe: false };
  const isOpen = part.effects.includes('network') && part.hosts.length === 0;
  return isOpen ? { why: 'it talks to a host that can’t be told', maybe: true } : 'no';
}

function isHost(named: string, pattern: string): boolean {
  const [host, port] = parted(named.toLowerCase());
  const [wanted, wantedPort] = parted(pattern.toLowerCase());
  if (wantedPort !== undefined && wantedPort !== port) return false;
  if (wanted === '*') return true;
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted;
}

function parted(host: string): [host: string, port?: string] {
  const match = /^(.*?)(?::(\d+))?$/.exec(host);
  const name = (match?.[1] ?? host).replace(/\.$/, '');
  return match?.[2] === undefined ? [name] : [name, match[2]];
}

function ofRisk({ risk }: CompiledRule, { effects }: JudgedPart): Found {
  if (risk === undefined) return 'none';
  const hit = effects.find((effect) => effect === risk || (risk === 'write' && effect === 'destroy'));
  return hit === undefined ? 'no' : { why: `its effect is ${hit}`, maybe: false };
}

function ofPipe({ pipedFrom }: CompiledRule, part: JudgedPart): Found {
  if (pipedFrom === undefined) return 'none';
  const from = part.pipedFrom;
  return from !== undefined && pipedFrom.includes(from) ? { why: `it is piped from ${from}`, maybe: false } : 'no';
}

function ofCode({ codeFrom }: CompiledRule, part: JudgedPart): Found {
  if (codeFrom === undefined) return 'none';
  const hit = part.codeFrom.find((each) => codeFrom.includes(each));
  if (hit !== undefined) return { why: `it runs what ${hit} gives`, maybe: false };
  const { text, unclear } = part;
  // Of a part whose words are known the code would be known to be code.
  const isOpen = text !== undefined && unclear !== undefined && part.words.length === 0;
  const mayRunIt = isOpen && mayFeedShell(text, codeFrom);
  return mayRunIt ? { why: `a shell in it may run what ${codeFrom.join(' or ')} gives`, maybe: true } : 'no';
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `\`${line.length > 120 ? `${line.slice(0, 117)}...` : line}\``;
}
