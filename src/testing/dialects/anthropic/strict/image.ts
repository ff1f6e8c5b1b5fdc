/** Judges an image as a provider does: its kind, its size in bytes and in pixels. */

const byteLimit = 5 * 1024 * 1024;
const sideLimit = 8000;

/** What is wrong with an image, or undefined. `data` is base64. */
export function imageFault(mediaType: string, data: string): string | undefined {
  const bytes = Buffer.from(data, 'base64');
  // Decoding skips what isn't base64; encoding again shows it. (A pattern over megabytes would exhaust the stack.)
  if (data === '' || bytes.toString('base64') !== data) return 'invalid base64 data';
  if (bytes.length > byteLimit) {
    return `image exceeds 5 MB maximum: ${bytes.length} bytes > ${byteLimit} bytes`;
  }
  const size = sizeOf(mediaType, bytes);
  if (size === 'unknown type') return `media type '${mediaType}' is not supported`;
  if (!size || size.width === 0 || size.height === 0) return `Could not process image as ${mediaType}`;
  if (Math.max(size.width, size.height) <= sideLimit) return undefined;
  return `At least one of the image dimensions exceed max allowed size: ${sideLimit} pixels`;
}

interface Size {
  width: number;
  height: number;
}

function sizeOf(mediaType: string, bytes: Buffer): Size | undefined | 'unknown type' {
  switch (mediaType) {
    case 'image/png':
      return pngSize(bytes);
    case 'image/gif':
      return gifSize(bytes);
    case 'image/jpeg':
      return jpegSize(bytes);
    case 'image/webp':
      return webpSize(bytes);
    default:
      return 'unknown type';
  }
}

function pngSize(bytes: Buffer): Size | undefined {
  const signature = '89504e470d0a1a0a';
  if (bytes.length < 33 || bytes.toString('hex', 0, 8) !== signature) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gifSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 13 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Goes from segment to segment up to a frame header (SOF0 to SOF15 but for DHT, JPG and DAC). */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let offset = 2;
  while (offset + 9 <= bytes.length && bytes[offset] === 0xff) {
    const marker = bytes[offset + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) };
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
