/** Images as a provider takes them, and what stands in for one that can't be sent. */
import { imagesIn, type ImagePart, type Message } from '../../core/index.ts';
import type { Order } from '../wire.ts';

/** What a provider takes of images. */
export interface ImageRule {
  mediaTypes: readonly string[];
  /** Characters of base64. */
  longest: number;
}

/** `unable`: the model doesn't take images. `lost`: its bytes can't be read any more. The others: this provider doesn't take this one. */
export type ImageGap = 'unable' | 'lost' | 'large' | 'unsupported';

const reasons: { [G in ImageGap]: string } = {
  unable: 'this model can’t see images',
  lost: 'its bytes were lost',
  large: 'it is larger than this model takes',
  unsupported: 'this model takes no images of its kind',
};

/** The same image gives the same words, so that a request stays an extension of the one before it. */
export function imageNote({ mediaType, bytes }: ImagePart, why: ImageGap): string {
  return `[An image was here (${mediaType}, ${sizeText(bytes)}); ${reasons[why]}.]`;
}

/** The bytes of an image as base64, or the note in its place. */
export function imageData(
  image: ImagePart,
  order: Pick<Order, 'target' | 'image'>,
  rule: ImageRule,
): { data: string } | { note: string } {
  if (!order.target.abilities.images) return { note: imageNote(image, 'unable') };
  if (!rule.mediaTypes.includes(image.mediaType)) return { note: imageNote(image, 'unsupported') };
  const data = order.image(image.blob);
  if (data === undefined || data === '') return { note: imageNote(image, 'lost') };
  return data.length > rule.longest ? { note: imageNote(image, 'large') } : { data };
}

/** Which of a message's images can be had now: what was made of the message before holds only for the same. */
export function imagesAtHand(message: Message, order: Pick<Order, 'image'>): string {
  return imagesIn(message)
    .map(({ blob }) => (order.image(blob) === undefined ? '-' : '+'))
    .join('');
}

/** A size in thousands of bytes, as people read it. */
function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
