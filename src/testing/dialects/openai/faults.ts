/**
 * How OpenAI's APIs word what is wrong with a request, and the codes that go with it. Only the message of a refusal reaches the
 * body of the error, so the code is told by the message; what stands in its quotes is the parameter.
 */

export const unknownParameter = (where: string): string => `Unknown parameter: '${where}'.`;

export const missingParameter = (where: string): string => `Missing required parameter: '${where}'.`;

export const wrongType = (where: string, expected: string): string =>
  `Invalid type for '${where}': expected ${expected}, but got something else instead.`;

export const tooLong = (where: string, most: number, length: number): string =>
  `Invalid '${where}': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`;

export const emptyText = (where: string): string =>
  `Invalid '${where}': empty string. Expected a string with text in it, but got one without.`;

export const emptyList = (where: string): string =>
  `Invalid '${where}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;

export const wrongPattern = (where: string, pattern: RegExp): string =>
  `Invalid '${where}': string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`;

export const tooSmall = (where: string, least: number, given: number): string =>
  `Invalid '${where}': integer below minimum value. Expected a value >= ${least}, but got ${given} instead.`;

export const wrongValue = (value: string, supported: readonly string[]): string =>
  `Invalid value: '${value}'. Supported values are: ${supported.map((each) => `'${each}'`).join(', ')}.`;

const faults: [RegExp, string | null][] = [
  [/^Unknown parameter: '(.+)'\.$/, 'unknown_parameter'],
  [/^Missing required parameter: '(.+)'\.$/, 'missing_required_parameter'],
  [/^Invalid type for '(.+?)'/, 'invalid_type'],
  [/^Invalid '(.+?)': string too long/, 'string_above_max_length'],
  [/^Invalid '(.+?)': empty string/, 'empty_string'],
  [/^Invalid '(.+?)': empty array/, 'empty_array'],
  [/^Invalid '(.+?)': array too long/, 'array_above_max_length'],
  [/^Invalid '(.+?)': string does not match pattern/, 'invalid_value'],
  [/^Invalid '(.+?)': integer below minimum value/, 'integer_below_min_value'],
  [/^Invalid '(.+?)': '.*'\. Expected an ID/, 'invalid_id_prefix'],
  [/^Invalid value: '/, 'invalid_value'],
  [/^Invalid schema for function /, 'invalid_function_parameters'],
  [/^This model's maximum context length is |^Your input exceeds the context window /, 'context_length_exceeded'],
  [/^The encrypted content /, 'invalid_encrypted_content'],
  [/^Previous response with id /, 'previous_response_not_found'],
  [/^Item with id /, null],
  [/^You uploaded an unsupported image/, 'invalid_image_format'],
  [/^Invalid base64 image_url/, 'invalid_base64_image'],
];

/** The code of a message and the parameter that it names; undefined for a message that isn't one of these. */
export function namedFault(message: string): { code: string | null; param?: string } | undefined {
  for (const [pattern, code] of faults) {
    const match = pattern.exec(message);
    if (match) return match[1] === undefined ? { code } : { code, param: match[1] };
  }
  return undefined;
}
