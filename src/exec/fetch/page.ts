/** From the answer of a server to a page that can be read. */
import { bareText } from './bare-text.ts';
import { textOf } from './charset.ts';
import type { LayoutLimits } from './layout-worker.ts';
import { description, isBinary, looksLikeHtml, mediaOf, type Media } from './media.ts';
import type { Answer } from './request.ts';

export interface Page {
  /** Where it came from in the end. */
  url: string;
  /** Readable Markdown, plain text, or what is said in place of something that can't be read. */
  text: string;
  title?: string;
  mediaType: string;
  /** Bytes that were loaded, without their compression. */
  bytes: number;
  /** There was more than the limit, which was left out. */
  cut: boolean;
}

/** Whether anything of the body is needed. */
export function isReadable(contentType: string | undefined): boolean {
  return mediaOf(contentType).kind !== 'other';
}

export async function pageOf(url: URL, answer: Answer, limits: LayoutLimits, signal: AbortSignal): Promise<Page> {
  const { head, bytes, cut } = answer;
  const media = mediaOf(head.contentType);
  const page = { url: url.href, mediaType: media.type, bytes: bytes.length, cut };
  if (media.kind === 'other') return { ...page, text: description(media.type, head.length) };
  if (isBinary(bytes)) return { ...page, text: description(media.type, cut ? head.length : bytes.length) };
  const text = await textOf(bytes, media.charset, cut);
  if (!isHtml(media, text)) return { ...page, text };
  return { ...page, ...(await readable(text, url.href, limits, signal)) };
}

function isHtml({ kind }: Media, text: string): boolean {
  return kind === 'html' || (kind === 'unnamed' && looksLikeHtml(text));
}

const bareNote = '[This page could not be laid out within the limits of time and memory; this is its bare text.]';

async function readable(
  html: string,
  address: string,
  limits: LayoutLimits,
  signal: AbortSignal,
): Promise<{ text: string; title?: string }> {
  const { layOutApart } = await import('./layout-worker.ts');
  const laidOut = await layOutApart(html, address, limits, signal);
  return laidOut ?? { text: `${bareNote}\n${bareText(html)}` };
}
