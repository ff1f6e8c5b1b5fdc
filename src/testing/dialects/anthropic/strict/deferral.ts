/** Checks deferred tools and the references by which they come into sight (platform.claude.com, “Tool search tool”, 2026-09-26). */
import type { JsonObject } from '../../../../core/index.ts';
import { asText, blocksOfType, isObject, objectsIn, rawMessages } from '../shape.ts';
import { unknownKeys, type Findings } from './findings.ts';

export function* checkDeferral(body: JsonObject): Findings {
  const tools = objectsIn(body['tools']);
  for (const [index, tool] of tools.entries()) {
    const { defer_loading: deferred } = tool;
    if (deferred !== undefined && typeof deferred !== 'boolean') {
      yield { rule: 'tools', message: `tools.${index}.defer_loading: Input should be a valid boolean` };
    }
    if (deferred !== true || !isObject(tool['cache_control'])) continue;
    const name = asText(tool['name']);
    yield {
      rule: 'marks',
      message: `Tool '${name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`,
    };
  }
  if (tools.length > 0 && tools.every((tool) => tool['defer_loading'] === true)) {
    yield { rule: 'tools', message: 'At least one tool must have defer_loading=false. All tools cannot be deferred.' };
  }
  const names = new Set(tools.map((tool) => asText(tool['name'])));
  for (const message of rawMessages(body)) {
    for (const result of blocksOfType(message, 'tool_result')) {
      yield* checkReferences(result, names, `messages.${message.index}.tool_result`);
    }
  }
}

function* checkReferences(result: JsonObject, names: ReadonlySet<string>, where: string): Findings {
  const blocks = objectsIn(result['content']);
  const references = blocks.filter((block) => block['type'] === 'tool_reference');
  for (const reference of references) {
    yield* unknownKeys(reference, ['type', 'tool_name', 'cache_control'], `${where}.tool_reference.`);
    const name = asText(reference['tool_name']);
    if (!names.has(name)) yield { rule: 'tools', message: `Tool reference '${name}' not found in available tools` };
  }
  if (references.length === 0) return;
  if (references.length < blocks.length) {
    yield { rule: 'input', message: `${where}.content: tool_reference blocks cannot be mixed with other content` };
  }
  if (result['is_error'] === true) {
    yield { rule: 'input', message: `${where}: all content must be type "text" if "is_error" is true` };
  }
}
