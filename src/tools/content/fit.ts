/** Scales and encodes a decoded picture until it is what every provider takes. */
import type * as imageLibrary from '@napi-rs/image';
import type { JsColorType, Orientation, Transformer } from '@napi-rs/image';
import { messageOf } from '../outcome.ts';
import type { ImageType } from './kinds.ts';

export type Library = typeof imageLibrary;

/** Pixels in width and height. */
export interface Size {
  width: number;
  height: number;
}

export interface Picture extends Size {
  decoded: Transformer;
  type: ImageType;
  /** The bytes as they are in the file. */
  file: Buffer;
  /** How it is turned, as EXIF counts; 1 is upright. */
  orientation: Orientation;
  damaged: boolean;
  animated: boolean;
  /** The file itself may be given, if it is small enough. */
  mayStay: boolean;
}

/** What a provider can be given. */
export interface Fitted extends Size {
  bytes: Buffer;
  mediaType: 'image/png' | 'image/jpeg';
}

/**
 * Bytes of an image at most: 4 MiB as base64, which is what is counted, and the least that a provider with eyes takes (Groq;
 * Anthropic takes 5).
 */
const mostBytes = 3 * 1024 * 1024;
const qualities = [85, 70, 50, 30];

/** The size as an image is meant to be seen: orientations from 5 on lie on their side (EXIF 2.3, tag 274). */
export function upright({ width, height }: Size, orientation: number): Size {
  return orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height };
}

/** `side` is the longest side that it may have, in pixels. */
export async function fit(library: Library, picture: Picture, side: number): Promise<Fitted | { problem: string }> {
  try {
    // Decoding is the proof that a provider can do it too, so it is done even where the file is taken as it is.
    const { width, height, colorType } = await picture.decoded.metadata();
    const scale = Math.min(1, side / Math.max(width, height));
    const asSaid = width === picture.width && height === picture.height;
    const mayStay = picture.mayStay && asSaid && scale === 1 && isEightBit(library, colorType);
    if (mayStay && picture.file.length <= mostBytes) {
      const mediaType = picture.type === 'image/png' ? 'image/png' : 'image/jpeg';
      return { bytes: picture.file, mediaType, width, height };
    }
    return await encode(library, picture, scaled(upright({ width, height }, picture.orientation), scale));
  } catch (error) {
    return { problem: `it can’t be decoded (${messageOf(error)})` };
  }
}

function scaled({ width, height }: Size, scale: number): Size {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function encode(library: Library, picture: Picture, size: Size): Promise<Fitted | { problem: string }> {
  const { decoded, orientation, type } = picture;
  if (orientation !== library.Orientation.Horizontal) decoded.rotate(orientation);
  const png = await plainPng(library, decoded.resize({ ...size, fit: library.ResizeFit.Fill }));
  if (type !== 'image/jpeg' && png.length <= mostBytes) return { bytes: png, mediaType: 'image/png', ...size };
  const opaque = await onWhite(library, png, size);
  for (const quality of qualities) {
    const bytes = await new library.Transformer(opaque).jpeg(quality);
    if (bytes.length <= mostBytes) return { bytes, mediaType: 'image/jpeg', ...size };
  }
  return { problem: 'it stays too large however it is encoded' };
}

/** As PNG with eight bits a colour: not everybody reads sixteen. */
async function plainPng(library: Library, decoded: Transformer): Promise<Buffer> {
  const png = await decoded.png();
  const { colorType } = await new library.Transformer(png).metadata();
  if (isEightBit(library, colorType)) return png;
  const lossless = await new library.Transformer(png).webpLossless();
  return new library.Transformer(lossless).png();
}

function isEightBit({ JsColorType: type }: Library, colours: JsColorType): boolean {
  return [type.L8, type.La8, type.Rgb8, type.Rgba8].includes(colours);
}

/** JPEG has no opacity; what was clear would come out black. */
async function onWhite(library: Library, png: Buffer, { width, height }: Size): Promise<Buffer> {
  const { JsColorType: type, Transformer } = library;
  const { colorType } = await new Transformer(png).metadata();
  if (![type.La8, type.Rgba8].includes(colorType)) return png;
  const white = Buffer.alloc(width * height * 4, 255);
  return Transformer.fromRgbaPixels(white, width, height).overlay(png, 0, 0).png();
}
