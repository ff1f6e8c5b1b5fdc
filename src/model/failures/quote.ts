/** The words of a provider, fit to be shown and logged: bounded, without control characters, markup and keys. */

/** Characters of a message that are kept: with what is said about retries it stays below 2,000. */
const longestMessage = 1_800;
const longestMarkup = 300;
/** Characters that are looked at: what is kept can be longer before its blanks, its markup and its keys are gone. */
const longestRead = 20_000;

export const keyShapes: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|key)[-_][A-Za-z0-9_-]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  // Bounded, so that no text takes the square of its length to be searched.
  /\beyJ[A-Za-z0-9_-]{10,1000}\.[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]*/g,
  /(?<=\bBearer\s)[^\s"'\\]{8,}/gi,
];

const secretHeader = /key|auth|token|secret|cookie/i;

/** The values in headers that must not be repeated anywhere. */
export function secretsOf(headers: { [name: string]: string }): string[] {
  return Object.entries(headers)
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([, value]) => [value.replace(/^(?:bearer|basic)\s+/i, ''), passwordIn(value)])
    .filter((value) => value.length >= 8);
}

/** The password of a login, which a server can read as well. */
function passwordIn(value: string): string {
  const login = /^basic\s+(.+)$/i.exec(value)?.[1] ?? '';
  return Buffer.from(login, 'base64').toString().split(':').slice(1).join(':');
}

export function quote(text: string, secrets: readonly string[] = []): string {
  const beginning = text.slice(0, longestRead);
  const plain = isMarkup(beginning) ? withoutMarkup(beginning) : beginning;
  const line = plain.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ').trim();
  const masked = mask(line, secrets);
  if (masked.length <= longestMessage) return masked.toWellFormed();
  return `${masked.slice(0, longestMessage - 1).toWellFormed()}…`;
}

function mask(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) masked = masked.replaceAll(secret, '[key]');
  for (const shape of keyShapes) masked = masked.replaceAll(shape, '[key]');
  return masked;
}

function isMarkup(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text);
}

/** A page is named by its title, where it has one. */
function withoutMarkup(text: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim();
  if (title !== undefined && title !== '') return `a web page, "${title}"`;
  const words = text
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `a web page: ${words.slice(0, longestMarkup)}`;
}
