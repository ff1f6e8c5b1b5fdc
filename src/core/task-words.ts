/** Whether a task asks for a change of what proves it: read narrowly, since a task mostly names the tests that its work must pass. */
import type { DefinerChange } from './evidence.ts';

const changing =
  'add|adapt|adjust|amend|change|convert|create|delete|disable|drop|edit|enable|expand|extend|migrate|modify|move|port|refactor|remove|rename|replace|rewrite|skip|split|unskip|update|write';
const removing = 'delete|disable|drop|migrate|move|port|remove|rename|replace|skip|split';
/** What follows one of these is no longer what is to be changed. */
const turns =
  /\b(?:so|to|until|unless|that|which|because|for|with|by|make|makes|making|let|run|pass|passes|get|before|after|when|if)\b/i;
const refusals = /\b(?:not|never|without|keep|leave|except|untouched)\b|n[’']t\b/i;

const nouns = {
  test: /\b(?:tests?|specs?|snapshots?|fixtures?|assertions?|coverage|test[- ](?:files?|cases?|suites?))\b/i,
  configuration:
    /\b(?:config(?:s|uration)?|settings|scripts?|thresholds?|time-?outs?|lint(?:er|ing)? rules?|makefile)\b/i,
};

/** `said`: what people have said of the task. */
export function asksFor(said: readonly string[], change: DefinerChange): boolean {
  const verbs = change.how === undefined ? changing : removing;
  const clauses = said.flatMap((text) => text.split(/[.!?]+(?=\s|$)|[;\n]/)).filter((clause) => !refusals.test(clause));
  return clauses.some((clause) => objectsOf(clause, verbs).some((object) => names(object, change)));
}

/** What stands behind each of the verbs, up to where the sentence turns. */
function objectsOf(clause: string, verbs: string): string[] {
  const verb = new RegExp(String.raw`\b(?:${verbs})(?:s|d|ed|ing)?\b`, 'gi');
  return [...clause.matchAll(verb)].map((match) => {
    const rest = clause.slice(match.index + match[0].length);
    const place = /^(.*?)\b(?:to|in|into|from)\b/i.exec(rest);
    return rest.split(turns)[0] + (place === null ? '' : ` ${rest.slice(place[0].length).split(turns)[0]}`);
  });
}

function names(object: string, { path, kind = 'configuration' }: DefinerChange): boolean {
  const [file = path] = path.split('#');
  const name = file.slice(file.lastIndexOf('/') + 1);
  return object.includes(name) || nouns[kind].test(object);
}
