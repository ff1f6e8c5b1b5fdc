/** What the output of a kept job goes through, in the process of its supervisor: loaded there by its path. */
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../core/index.ts';
import { createRedactor, type Filter, type SecretValue } from '../safety/index.ts';

/** The file to load. */
export const filterModule = fileURLToPath(import.meta.url);

/** What a redactor of another process is made from. It is handed over in memory and written nowhere. */
export function dataOf(values: readonly SecretValue[], key: Uint8Array): JsonObject {
  return { values: values.map(({ name, value }) => ({ name, value })), key: Buffer.from(key).toString('base64') };
}

/** @public Named by the path of this module to the supervisor of a kept job. */
export function createFilter(data: { values: SecretValue[]; key: string }): Filter<Buffer> {
  return createRedactor({ values: data.values, key: () => Buffer.from(data.key, 'base64') }).bytes();
}
