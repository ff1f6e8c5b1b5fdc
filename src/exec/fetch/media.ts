/** What a page is: HTML to be laid out, text as it is, or something that is only described. */

export interface Media {
  type: string;
  charset: string | undefined;
  /** `unnamed`: the server doesn't say, so the bytes decide. */
  kind: 'html' | 'text' | 'unnamed' | 'other';
}

const unnamedType = 'application/octet-stream';
const textTypes =
  /^(text\/.*|application\/(.*\+)?(json|xml|yaml|toml)|application\/(x-)?(javascript|ecmascript|typescript|ndjson|jsonlines|json5|yaml|sh|shellscript|sql|graphql|httpd-php|perl|python|ruby|tex|latex|www-form-urlencoded|pem-file)|image\/svg\+xml|message\/.*|multipart\/.*|model\/(gltf\+json|mtl|obj))$/;

export function mediaOf(contentType: string | undefined): Media {
  const [first = '', ...parameters] = (contentType ?? '').slice(0, 500).toLowerCase().split(';');
  const named = first.trim();
  const type = /^[\w.+-]{1,60}\/[\w.+-]{1,90}$/.test(named) ? named : unnamedType;
  const charset = parameters
    .map((each) => /^\s*charset\s*=\s*"?([\w.:-]+)"?\s*$/.exec(each)?.[1])
    .find((each) => each !== undefined);
  return { type, charset, kind: kindOf(type) };
}

function kindOf(type: string): Media['kind'] {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (textTypes.test(type)) return 'text';
  return type === unnamedType || type === 'binary/octet-stream' ? 'unnamed' : 'other';
}

/** Bytes that are looked at to tell text from other things. */
const lookedAt = 8_192;

/** Whether bytes that were announced as text, or as nothing, are something else. */
export function isBinary(bytes: Buffer): boolean {
  const start = bytes.subarray(0, lookedAt);
  const isWide = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  return !isWide && start.includes(0);
}

/** Whether a text that was announced as nothing is HTML. */
export function looksLikeHtml(text: string): boolean {
  return /^\ufeff?\s*(<!doctype html|<html[\s>])/i.test(text.slice(0, 1024));
}

const names: [RegExp, string][] = [
  [/^application\/pdf$/, 'a PDF document'],
  [/^image\//, 'an image'],
  [/^audio\//, 'a sound'],
  [/^video\//, 'a film'],
  [/^font\//, 'a font'],
  [/zip|gzip|x-tar|x-7z|x-bzip2|x-xz|rar/, 'an archive'],
];

/** What stands in place of something that can't be shown as text. `bytes`: its size, where it is known. */
export function description(type: string, bytes: number | undefined): string {
  const [, name = 'no text'] = names.find(([pattern]) => pattern.test(type)) ?? [];
  const size = bytes === undefined ? '' : `, ${bytes} bytes`;
  return `This is ${name} (${type}${size}). Only text is shown, so what it holds isn’t.`;
}
