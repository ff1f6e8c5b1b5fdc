/**
 * JSON Schema for a provider that takes only some of it. Arguments that are right by the true schema are right by the cast one, so
 * that nothing right can't be said; what the cast one lets pass besides is refused when the call is checked.
 */
import type { JsonObject } from '../../core/index.ts';
import { isPlain } from './plain-schema.ts';
import { speak, type SchemaRule } from './schema-dialect.ts';
import { inlineSchema } from './schema-inline.ts';
import { isObject } from '../reply.ts';

/** Levels of nesting that are looked at; no tool needs more. */
const deepest = 200;
/** Characters of a schema that are looked at; a fraction of them is sent. */
const longest = 2_000_000;

/** The cast schema, or why there is none. The schema given is never changed. */
export function castSchema(schema: JsonObject, rule: SchemaRule): { schema: JsonObject } | { why: string } {
  if (isPlain(schema, rule)) return fitting(schema, rule);
  const copy = plainCopy(schema);
  return typeof copy === 'string' ? { why: copy } : fitting(speak(inlineSchema(copy, rule), rule), rule);
}

function fitting(schema: JsonObject, rule: SchemaRule): { schema: JsonObject } | { why: string } {
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes <= rule.bytes) return { schema };
  return { why: `Its schema has ${bytes} bytes, and at most ${rule.bytes} are sent to this provider.` };
}

/** The schema as JSON has it; a text says why it isn't any. */
function plainCopy(schema: JsonObject): JsonObject | string {
  const isDeep = isDeeper(schema, deepest);
  if (isDeep !== false) return isDeep;
  try {
    const text = JSON.stringify(schema);
    if (text.length > longest)
      return `Its schema has ${text.length} characters; more than ${longest} are not even looked at.`;
    const copy: unknown = JSON.parse(text);
    return isObject(copy) ? copy : 'Its schema is no JSON object.';
  } catch (error) {
    return `Its schema is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Level by level, so that neither depth nor a circle can exhaust the stack. */
function isDeeper(schema: JsonObject, most: number): string | false {
  let level: unknown[] = [schema];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return `Its schema contains itself or is nested more than ${most} levels deep.`;
    const inner = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    level = [...new Set(inner)].filter((value) => typeof value === 'object' && value !== null);
  }
  return false;
}
