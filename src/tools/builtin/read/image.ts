/** Image files: given to a model that sees, told to one that doesn't. */
import type { CallOutcome, ImagePart } from '../../../core/index.ts';
import { fitImage, measure, type Fitted, type ImageReport, type ImageType, type Size } from '../../content/index.ts';
import { messageOf } from '../../outcome.ts';
import { count, headOf, visible } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import type { Manner, Subject } from './subject.ts';

const names: { [T in ImageType]: string } = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
};
/** Characters of what the decoder says. */
const longestProblem = 200;

/** An image that the model is given and a sentence on it, or why it isn't given. */
export type Sight = { text: string; part?: ImagePart };

export async function readImage(
  { name, state }: Subject,
  type: ImageType,
  manner: Manner,
  context: ToolContext,
): Promise<CallOutcome> {
  const { text, part } = await see(state.bytes, type, manner, context);
  const kind = `${name} is a ${text}`;
  return part === undefined ? { outcome: 'ok', text: kind } : { outcome: 'ok', text: kind, images: [part] };
}

/** Makes an image visible. The text begins with its kind. */
export async function see(bytes: Buffer, type: ImageType, manner: Manner, context: ToolContext): Promise<Sight> {
  if (!manner.images) {
    const size = await measure(bytes);
    return { text: `${what(type, size, bytes.length)}. This model can’t see images.` };
  }
  const report = await fitImage(bytes, type, { side: manner.pixels, signal: context.signal });
  if ('problem' in report) return notShown(type, report, bytes.length, report.problem);
  const kept = await keep(report.fitted, context);
  if (typeof kept !== 'string') return notShown(type, report, bytes.length, kept.problem);
  const { mediaType, bytes: given } = report.fitted;
  const sentences = [`${what(type, report.size, bytes.length)}.`, ...shownAs(report.fitted, report.size, type, bytes)];
  return {
    text: [...sentences, ...report.remarks].join(' '),
    part: { type: 'image', mediaType, blob: kept, bytes: given.length },
  };
}

/** An image without its bytes is worse than a word about it. */
async function keep({ bytes }: Fitted, context: ToolContext): Promise<string | { problem: string }> {
  try {
    return await context.keep(bytes);
  } catch (error) {
    return { problem: `it could not be kept (${messageOf(error)})` };
  }
}

function notShown(type: ImageType, { size }: ImageReport, bytes: number, problem: string): Sight {
  const why = headOf(visible(problem), longestProblem);
  return { text: `${what(type, size, bytes)}. It can’t be shown: ${why}.` };
}

function what(type: ImageType, size: Size | undefined, bytes: number): string {
  const pixels = size === undefined ? '' : `${pixelText(size)}, `;
  return `${names[type]} image, ${pixels}${count(bytes, 'byte')}`;
}

function shownAs(fitted: Fitted, size: Size | undefined, type: ImageType, bytes: Buffer): string[] {
  if (fitted.bytes === bytes) return [];
  const isScaled = size !== undefined && (size.width !== fitted.width || size.height !== fitted.height);
  const kind = `${names[fitted.mediaType]} of ${count(fitted.bytes.length, 'byte')}`;
  if (isScaled) {
    return [
      `Shown scaled to ${pixelText(fitted)}, as ${kind}. To see details, cut out a part with a command and read that.`,
    ];
  }
  return type === fitted.mediaType ? [`Shown encoded anew, as ${kind}.`] : [`Shown as ${kind}.`];
}

function pixelText({ width, height }: Size): string {
  return `${width} x ${height} pixels`;
}
