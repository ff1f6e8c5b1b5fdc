/** Judges the URL of an image: where it points, and for data, whether it is what it says. */

const byteLimit = 20 * 1024 * 1024;

/** First bytes of the kinds that are taken; dots stand for any character (in latin1). */
const kinds: { [mediaType: string]: RegExp } = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[^]{4}WEBP/,
};

/** What is wrong with an image, or undefined. */
export function imageFault(url: string): string | undefined {
  if (/^https?:\/\/./.test(url)) return undefined;
  const head = /^data:([^;,]{1,100});base64,/.exec(url);
  if (!head)
    return 'Invalid image URL. Expected a URL of http or https, or a base64-encoded data URL with an image MIME type.';
  const data = url.slice(head[0].length);
  const bytes = Buffer.from(data, 'base64');
  // Decoding skips what isn't base64; encoding again shows it. (A pattern over megabytes would exhaust the stack.)
  if (data === '' || bytes.toString('base64') !== data) return 'Invalid base64 image_url.';
  if (bytes.length > byteLimit) return `Image exceeds the limit of 20 MB: ${bytes.length} bytes > ${byteLimit} bytes.`;
  const mediaType = head[1] ?? '';
  const kind = Object.hasOwn(kinds, mediaType) ? kinds[mediaType] : undefined;
  if (kind?.test(bytes.toString('latin1', 0, 12))) return undefined;
  return "You uploaded an unsupported image. Please make sure your image is what it says, of one of the following formats: ['png', 'jpeg', 'gif', 'webp'].";
}
