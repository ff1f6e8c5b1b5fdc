/**
 * Ids of calls as a provider takes them. The one that made a call names it as it likes: the same id twice, none at all, characters
 * that another refuses. What is sent is cast from the whole conversation, so that the same conversation always gives the same ids.
 */
import type { AssistantMessage, Message, ResultPart, UserMessage } from '../../core/index.ts';

/** What a provider allows in a name: everything that doesn't match `illegal`, at most `longest` characters. */
export interface NameRule {
  illegal: RegExp;
  longest: number;
}

/** A reply with the ids of its calls, in their order. */
export interface AddressedReply {
  message: AssistantMessage;
  ids: string[];
}

/** A message of the user with its results in the order of their calls, and the ids of those. */
export interface AddressedUser {
  message: UserMessage;
  ids: string[];
  results: ResultPart[];
}

export type Addressed = AddressedReply | AddressedUser;

interface OpenCall {
  id: string;
  sent: string;
}

/** Gives each call an id that is allowed and used once, and each result the id of its call. */
export function addressCalls(messages: readonly Message[], rule: NameRule): Addressed[] {
  const used = new Set<string>();
  let open: OpenCall[] = [];
  return messages.map((message) => {
    if (message.role === 'user') {
      const paired = pair(message, open);
      open = [];
      return { message, ids: paired.map(({ sent }) => sent), results: paired.map(({ part }) => part) };
    }
    const calls = message.parts.filter((part) => part.type === 'call');
    const cast = calls.map(({ id }) => ({ id, sent: castId(id, rule, used) }));
    open.push(...cast);
    return { message, ids: cast.map(({ sent }) => sent) };
  });
}

/** Results in the order of their calls. One without a call has no place in a request; the record still has it. */
function pair(message: UserMessage, open: readonly OpenCall[]): { part: ResultPart; sent: string }[] {
  const left = message.parts.filter((part) => part.type === 'result');
  return open.flatMap(({ id, sent }) => {
    const index = left.findIndex((part) => part.id === id);
    const [part] = index < 0 ? [] : left.splice(index, 1);
    return part === undefined ? [] : [{ part, sent }];
  });
}

function castId(id: string, rule: NameRule, used: Set<string>): string {
  const legal = castName(id, rule, 'call');
  let sent = legal;
  for (let copy = 2; used.has(sent); copy += 1) {
    const suffix = `_${copy}`;
    sent = `${legal.slice(0, rule.longest - suffix.length)}${suffix}`;
  }
  used.add(sent);
  return sent;
}

/** A name in characters that the provider takes; a model can make up any. */
export function castName(name: string, rule: NameRule, empty = 'unnamed'): string {
  return name.replaceAll(rule.illegal, '_').slice(0, rule.longest) || empty;
}
