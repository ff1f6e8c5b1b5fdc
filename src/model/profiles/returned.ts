/** A reply of Chat Completions on its way back: its content, and its reasoning in the form in which it came. */
import type { Json, ReplyPart, ThinkingPart } from '../../core/index.ts';
import type { ChatProfile } from './profiles.ts';
import { isObject, textOf } from '../reply.ts';

interface TextPart {
  type: 'text';
  text: string;
}

/** The content as parts, where reasoning is one of them. */
type ContentPart = TextPart | { type: 'thinking'; thinking: TextPart[] };

export interface Returned {
  /** Null where nothing was said. */
  content: string | ContentPart[] | null;
  fields: { reasoning_content?: string; reasoning?: string; reasoning_details?: Json[] };
}

/** What the model itself gave goes back as it came, as far as the rule lets it; of another's reply only the text is left. */
export function returned(parts: readonly ReplyPart[], own: boolean, rule: ChatProfile['reasoning']): Returned {
  const returns = own && rule !== 'drop';
  const thoughts = returns ? parts.filter((part) => part.type === 'thinking') : [];
  const fields = fieldsOf(thoughts);
  const demanded = rule === 'demand' && fields.reasoning_content === undefined ? { reasoning_content: '' } : {};
  return { content: contentOf(parts, own, returns), fields: { ...demanded, ...fields } };
}

function fieldsOf(thoughts: readonly ThinkingPart[]): Returned['fields'] {
  const details = thoughts.flatMap(({ opaque }) => detailsIn(opaque));
  if (details.length > 0) return { reasoning_details: details };
  const content = thoughts.flatMap((part) => (fieldOf(part) === 'reasoning_content' ? part.text : [])).join('');
  if (content !== '') return { reasoning_content: content };
  const reasoning = thoughts.flatMap((part) => (fieldOf(part) === 'reasoning' ? part.text : [])).join('');
  return reasoning === '' ? {} : { reasoning };
}

function fieldOf({ opaque }: ThinkingPart): string {
  return isObject(opaque) ? textOf(opaque['field']) : '';
}

function detailsIn(opaque: Json | undefined): Json[] {
  const details = isObject(opaque) ? opaque['details'] : undefined;
  return Array.isArray(details) ? details : [];
}

/** Reasoning that was part of the content is again; the model's own words stand together as they came. */
function contentOf(parts: readonly ReplyPart[], own: boolean, returns: boolean): Returned['content'] {
  if (returns && parts.some((part) => part.type === 'thinking' && fieldOf(part) === 'parts')) return partsOf(parts);
  const texts = parts.flatMap((part) => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : part.text;
    return part.type === 'thinking' && returns ? taggedText(part) : [];
  });
  return texts.length === 0 ? null : texts.join(own ? '' : '\n\n');
}

function taggedText(part: ThinkingPart): string[] {
  const { opaque, text } = part;
  if (!isObject(opaque) || fieldOf(part) !== 'content') return [];
  return [`${textOf(opaque['before'])}${text}${textOf(opaque['after'])}`];
}

function partsOf(parts: readonly ReplyPart[]): ContentPart[] {
  return parts.flatMap((part): ContentPart[] => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    if (part.type !== 'thinking' || fieldOf(part) !== 'parts') return [];
    return [{ type: 'thinking', thinking: [{ type: 'text', text: part.text }] }];
  });
}
