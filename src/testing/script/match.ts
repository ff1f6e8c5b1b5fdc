/** Looks for what a rule or an expectation names in a request. */
import type { Match } from '../scenario/index.ts';
import { lastSaid, saidIn, type AskedResult, type Question } from './question.ts';

/** What in the request doesn't fit, in words; undefined when everything does. */
export function mismatch(match: Match, question: Question): string | undefined {
  const last = question.messages.at(-1);
  return (
    texts('the last user message', lastSaid(question), match) ??
    texts('the conversation', question.messages.map(saidIn).join('\n'), { contains: match.anywhere }) ??
    texts('the system prompt', question.system, { contains: match.system }) ??
    offered(match.tools ?? [], question.tools) ??
    (match.results && results(match.results, last?.role === 'user' ? last.results : []))
  );
}

interface Wanted {
  contains?: string | string[] | undefined;
  lacks?: string | string[] | undefined;
}

function texts(where: string, said: string, wanted: Wanted): string | undefined {
  const missing = list(wanted.contains).find((text) => !said.includes(text));
  if (missing !== undefined) return `${where} lacks ${JSON.stringify(missing)}; it says ${excerpt(said)}`;
  const present = list(wanted.lacks).find((text) => said.includes(text));
  return present === undefined ? undefined : `${where} has ${JSON.stringify(present)}`;
}

function offered(wanted: string[], tools: string[]): string | undefined {
  const missing = wanted.find((name) => !tools.includes(name));
  return missing === undefined ? undefined : `the tool ${missing} isn’t offered; offered: ${tools.join(', ')}`;
}

function results(wanted: NonNullable<Match['results']>, given: AskedResult[]): string | undefined {
  if (wanted.length !== given.length) {
    return `the last user message has ${given.length} results, not ${wanted.length}`;
  }
  for (const [index, want] of wanted.entries()) {
    const result = given[index];
    if (!result) return undefined;
    const where = `result ${index + 1} (${result.name ?? result.id})`;
    if (want.name !== undefined && want.name !== result.name) return `${where} isn’t of ${want.name}`;
    if (want.error !== undefined && want.error !== result.error) {
      return `${where} is ${result.error ? 'an error' : 'no error'}: ${excerpt(result.text)}`;
    }
    const unlike = texts(where, result.text, want);
    if (unlike !== undefined) return unlike;
  }
  return undefined;
}

const list = (texts: string | string[] | undefined): string[] => (typeof texts === 'string' ? [texts] : (texts ?? []));

const excerpt = (text: string): string => JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text);
