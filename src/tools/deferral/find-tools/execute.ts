import type { CallOutcome } from '../../../core/index.ts';
import type { ToolSearch } from '../search.ts';
import { failed } from '../../outcome.ts';
import { headOf, nearestFirst, visible } from '../../text/index.ts';
import type { Tool } from '../../tool.ts';
import { namesIn } from './description.ts';

/** Tools that a search by words shows, and names that one selection may hold. */
const bestShown = 5;
const mostSelected = 20;
/** Characters of all that is shown, and of one description. */
const longestResult = 20_000;
const longestDescription = 2_000;
const selection = /^\s*select\s*:/i;

/** `told`: names that are in the model's list anyway. */
export function findTools(query: string, search: ToolSearch, told: readonly string[]): CallOutcome {
  const chosen = selection.test(query) ? query.replace(selection, '').split(',') : [];
  const names = [...new Set(chosen.map((name) => name.trim()).filter((name) => name !== ''))];
  if (names.length > 0) return select(names, search, told);
  const exact = search.get(query.trim());
  const found = exact === undefined ? search.find(query).slice(0, bestShown) : [exact];
  if (found.length > 0) return shown(found, []);
  if (told.includes(query.trim())) return failed(inList(query.trim()), 'not-found');
  return failed(`No tool fits “${quoted(query)}”. There are: ${namesIn(search)}.`, 'not-found');
}

function select(names: readonly string[], search: ToolSearch, told: readonly string[]): CallOutcome {
  const taken = names.slice(0, mostSelected);
  const found = taken.flatMap((name) => search.get(name) ?? []);
  const notes = taken.flatMap((name) => (search.get(name) === undefined ? missing(name, search, told) : []));
  if (taken.length < names.length) notes.push(`Only the first ${mostSelected} names were looked at.`);
  return found.length > 0 ? shown(found, notes) : failed(notes.join('\n'), 'not-found');
}

function missing(name: string, { tools }: ToolSearch, told: readonly string[]): string {
  if (told.includes(name)) return inList(name);
  const nearest = nearestFirst(
    tools.map((tool) => tool.name),
    name,
  ).slice(0, bestShown);
  return `There is no tool “${quoted(name)}”; the nearest are ${nearest.join(', ')}.`;
}

function inList(name: string): string {
  return `${name} is in your list already: call it.`;
}

function quoted(text: string): string {
  return visible(headOf(text, 100));
}

/** Each with its description and schema, as many as there is room for; of the facts the wire makes its own use. */
function shown(found: readonly Tool[], notes: readonly string[]): CallOutcome {
  const texts: string[] = [];
  let length = 0;
  for (const tool of found) {
    const text = textOf(tool);
    length += text.length;
    if (texts.length > 0 && length > longestResult) break;
    texts.push(text);
  }
  const left = found.slice(texts.length).map(({ name }) => name);
  const more = left.length > 0 ? [`No room for ${left.join(', ')}: select them by name.`] : [];
  const way = 'Call a tool by its own name where it is in your list now, else through use_tool.';
  const names = found.slice(0, texts.length).map(({ name }) => name);
  return { outcome: 'ok', text: [...texts, ...more, ...notes, way].join('\n\n'), changes: [], facts: { found: names } };
}

function textOf({ name, description, input }: Tool): string {
  const cut = headOf(description, longestDescription);
  const said = cut.length < description.length ? `${cut} [...]` : cut;
  return `${name}: ${said}\narguments: ${JSON.stringify(input)}`;
}
