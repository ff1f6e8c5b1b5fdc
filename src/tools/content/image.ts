/** Images made fit for providers: measured by their header, decoded to prove that they can be, scaled where they are too large. */
import { fit, upright, type Fitted, type Library, type Picture, type Size } from './fit.ts';
import { firstGifFrame } from './gif.ts';
import { inTurn, late } from './in-turn.ts';
import { jpegFacts } from './jpeg.ts';
import type { ImageType } from './kinds.ts';

export interface ImageOptions {
  /** Pixels of the longer side at most. */
  side: number;
  signal: AbortSignal;
  /** Milliseconds; 10,000 when left out. */
  limit?: number;
  /** Loads the library that decodes and scales. */
  load?: () => Promise<Library>;
}

/** What is to be told of an image; with what a provider can be given, or why there is nothing to give. */
export type ImageReport = { size?: Size; remarks: string[] } & ({ fitted: Fitted } | { problem: string });

/** Pixels of the largest image that is opened, by its header: several bytes each are held, more than once. */
const mostPixels = 50_000_000;
/** The same for GIF, which is decoded by ourselves on the main thread. */
const mostGifPixels = 10_000_000;
/** Milliseconds that decoding and scaling may take. */
const usualLimit = 10_000;
/** Bytes in which the header must stand: in damaged files it is looked for byte by byte. */
const headerRoom = 1024 * 1024;

interface Measured extends Size {
  /** As EXIF counts; 1 is upright. */
  orientation: number;
}

/** The size that the header of an image tells; undefined where it tells none. */
export async function measure(bytes: Buffer): Promise<Measured | undefined> {
  const { imageSize } = await import('image-size');
  // A copy, since the reader goes by the memory beneath and not by where the bytes end in it.
  const head = new Uint8Array(bytes.subarray(0, headerRoom));
  try {
    const { width, height, orientation = 1 } = imageSize(head);
    const isSize = Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0;
    return isSize ? { width, height, orientation } : undefined;
  } catch {
    return undefined; // What it throws says only that it found no size.
  }
}

/** Makes an image fit for a request. Never rejects for what the bytes hold. */
export async function fitImage(bytes: Buffer, type: ImageType, options: ImageOptions): Promise<ImageReport> {
  const measured = await measure(bytes);
  if (measured === undefined) return { remarks: [], problem: 'its header is damaged or cut off' };
  const size = upright(measured, measured.orientation);
  const without = (problem: string): ImageReport => ({ size, remarks: [], problem });
  const most = type === 'image/gif' ? mostGifPixels : mostPixels;
  if (size.width * size.height > most) return without(`it has more than ${most / 1_000_000} million pixels`);
  const library = await load(options);
  if (library === undefined) return without('what decodes images can’t be loaded on this machine');
  const { limit = usualLimit, side, signal } = options;
  const work = async (): Promise<ImageReport> => {
    const picture = open(library, bytes, type, measured);
    if (picture === undefined) return without('no picture was found in it');
    return { size, remarks: remarksOn(picture), ...result(await fit(library, picture, side)) };
  };
  const done = await inTurn(work, { limit, signal });
  if (done !== late) return done;
  return without(signal.aborted ? 'it was cancelled' : `decoding it took longer than ${limit / 1000} seconds`);
}

async function load({ load = () => import('@napi-rs/image') }: ImageOptions): Promise<Library | undefined> {
  try {
    return await load();
  } catch {
    return undefined; // There is no build of it for this machine, which is no fault of the image.
  }
}

function result(fitted: Fitted | { problem: string }): { fitted: Fitted } | { problem: string } {
  return 'problem' in fitted ? fitted : { fitted };
}

function remarksOn({ damaged, animated }: Picture): string[] {
  const remarks: string[] = [];
  if (damaged) remarks.push('The file is cut off or damaged; this is what could be read of it.');
  if (animated) remarks.push('It is animated; this is its first picture.');
  return remarks;
}

/** Only PNG and JPEG are given as they are: GIF and WebP aren't taken by every provider, and animated ones by few. */
function open(library: Library, bytes: Buffer, type: ImageType, measured: Measured): Picture | undefined {
  const upright = library.Orientation.Horizontal;
  const usual = { ...measured, type, file: bytes, damaged: false, animated: false, orientation: upright };
  if (type === 'image/gif') {
    const frame = firstGifFrame(bytes, mostGifPixels);
    if (frame === undefined) return undefined;
    const { width, height, rgba, complete, animated } = frame;
    const decoded = library.Transformer.fromRgbaPixels(rgba, width, height);
    return { ...usual, decoded, damaged: !complete, animated, mayStay: false };
  }
  if (type === 'image/jpeg') {
    const { bare, components, complete } = jpegFacts(bytes);
    const orientation = orientationOf(library, measured.orientation);
    const mayStay = complete && components !== 4 && orientation === upright;
    return { ...usual, decoded: new library.Transformer(bare), damaged: !complete, orientation, mayStay };
  }
  const animated = type === 'image/webp' && isAnimatedWebp(bytes);
  return { ...usual, decoded: new library.Transformer(bytes), animated, mayStay: type === 'image/png' };
}

/** The orientation that EXIF gives this number; upright for a number that it doesn’t have. */
function orientationOf({ Orientation: turn }: Library, number: number): Picture['orientation'] {
  const turns = [
    turn.Horizontal,
    turn.MirrorHorizontal,
    turn.Rotate180,
    turn.MirrorVertical,
    turn.MirrorHorizontalAndRotate270Cw,
    turn.Rotate90Cw,
    turn.MirrorHorizontalAndRotate90Cw,
    turn.Rotate270Cw,
  ];
  return turns[number - 1] ?? turn.Horizontal;
}

/** The bit of the extended header that says that there are more pictures (WebP container specification). */
function isAnimatedWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 2) !== 0;
}
