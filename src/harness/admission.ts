/** What may enter the record: secrets are replaced, or, where a person wrote them, refused. */
import { ReinsError, type Admit, type EventData, type ReplyPart } from '../core/index.ts';
import type { Redactor } from '../safety/index.ts';

type Change = (text: string) => string;

/** Nothing that a redactor knows gets past it into the log, and so into a request. */
export function admission(secrets: Redactor): Admit {
  const all: Change = (text) => secrets.redact(text);
  const known: Change = (text) => secrets.redactKnown(text);
  return (draft) => {
    switch (draft.kind) {
      case 'request': // Made of what was recorded.
      case 'session':
      case 'start':
      case 'head':
      case 'follow-up':
      case 'checkpoint':
      case 'cancel':
        return draft;
      case 'input':
        return { kind: draft.kind, data: inputOf(draft.data, secrets) };
      case 'title':
        refuseSecrets(draft.data.text, secrets);
        return draft;
      case 'setup':
        return { kind: draft.kind, data: setupOf(draft.data, secrets) };
      case 'reply':
        return { kind: draft.kind, data: replyOf(draft.data, secrets) };
      case 'verdict':
      case 'answer':
      case 'job':
        return changed(draft, known);
      case 'ask': {
        const { question, diff } = draft.data;
        const texts = { question: all(question), ...(diff !== undefined && { diff: all(diff) }) };
        return { kind: draft.kind, data: { ...changed(draft.data, known), ...texts } };
      }
      case 'evidence': {
        const { output, shown } = draft.data;
        const texts = { output: changed(output, all), ...(shown !== undefined && { shown: all(shown) }) };
        return { kind: draft.kind, data: { ...changed(draft.data, known), ...texts } };
      }
      case 'compaction':
        return { kind: draft.kind, data: compactionOf(draft.data, all) };
      case 'result':
        return { kind: draft.kind, data: { ...changed(draft.data, known), text: all(draft.data.text) } };
      default:
        return changed(draft, all);
    }
  };
}

/** What a person wrote is never altered. */
export function refuseSecrets(text: string, secrets: Redactor): void {
  if (!secrets.holdsKnown(text)) return;
  const [, name] = /\[secret:(\w+):/.exec(secrets.redactKnown(text)) ?? [];
  throw new ReinsError(
    'secret-given',
    `The text holds a secret${name === undefined ? '' : ` (the value of ${name})`}, so it was not recorded.`,
  );
}

/** What is only named by its id stays as it is. */
function compactionOf(
  { gist, problem, focus, ...rest }: EventData['compaction'],
  all: Change,
): EventData['compaction'] {
  const texts = {
    ...(problem !== undefined && { problem: all(problem) }),
    ...(focus !== undefined && { focus: all(focus) }),
  };
  if (gist === undefined) return { ...rest, ...texts };
  const { shown, summary, files, ...named } = gist;
  const written = summary === undefined ? {} : { summary: { ...summary, text: all(summary.text) } };
  return { ...rest, ...texts, gist: { ...named, shown: all(shown), ...written, files: changed(files, all) } };
}

const persons: readonly string[] = ['user', 'steer', 'follow-up'];

function inputOf(data: EventData['input'], secrets: Redactor): EventData['input'] {
  if (!persons.includes(data.from)) return { ...data, text: secrets.redact(data.text) };
  refuseSecrets(data.text, secrets);
  return data;
}

/** Prompts hold texts of the workspace; anything else of a setup was set by a person. */
function setupOf(data: EventData['setup'], secrets: Redactor): EventData['setup'] {
  const { system, tools, instructions, ...rest } = data;
  refuseSecrets(JSON.stringify(rest), secrets);
  const redact: Change = (text) => secrets.redact(text);
  const told = instructions !== undefined && { instructions: changed(instructions, redact) };
  return { ...rest, system: system.map(redact), tools: changed(tools, redact), ...told };
}

/**
 * The reply is there already when it is seen to hold a known value, so it can only be recorded without it: the value is replaced, what
 * the provider has sealed and would refuse when altered is left out, and a call that had it is not run.
 */
function replyOf(data: EventData['reply'], secrets: Redactor): EventData['reply'] {
  if (!secrets.holdsKnown(JSON.stringify(data))) return data;
  const known: Change = (text) => secrets.redactKnown(text);
  const { parts, ...rest } = data;
  const calls = parts.filter(({ type }) => type === 'call');
  const withheld = calls.flatMap((call, index) => (secrets.holdsKnown(JSON.stringify(call)) ? [index] : []));
  return {
    ...changed(rest, known),
    parts: parts.flatMap((part) => partOf(part, secrets, known)),
    ...(withheld.length > 0 && { withheld }),
  };
}

function partOf(part: ReplyPart, secrets: Redactor, known: Change): ReplyPart[] {
  if (!secrets.holdsKnown(JSON.stringify(part))) return [part];
  if (part.type === 'opaque') return [];
  const { opaque: _, ...open } = part;
  return [changed(open, known)];
}

/** The same with each text in it changed, the names of fields excepted where nothing would change in them. */
export function changed<T>(value: T, change: Change): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => changed(each, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [change(key), changed<unknown>(each, change)]);
  return Object.fromEntries(entries) as T;
}
