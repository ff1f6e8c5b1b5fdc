/** Content of messages as texts: a text, or a list of blocks. */
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject, textAt } from './lines.ts';

export function blocksOf(content: Json | undefined): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** What a block says. What is no text is named: images aren’t taken over. */
export function blockText(block: JsonObject): string {
  const text = textAt(block, 'text');
  if (text !== undefined) return text;
  const type = textAt(block, 'type') ?? 'block';
  return type.includes('image') ? '[image: not imported]' : JSON.stringify(block);
}

export function contentText(content: Json | undefined): string {
  return blocksOf(content).map(blockText).join('\n');
}
