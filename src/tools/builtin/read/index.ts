import type { Tool } from '../../tool.ts';
import { defineTool } from '../../tool.ts';
import { effectsOnFile } from '../file-access.ts';
import { description, tagsDescription } from './description.ts';
import { charactersShown } from './lines.ts';
import { read } from './execute.ts';
import { schema } from './schema.ts';

export interface ReadToolOptions {
  /** Lines are shown with the tags that tagged edits name. */
  tags: boolean;
  /** The model sees images; otherwise it is told what there is. */
  images: boolean;
  /** The longer side that an image is scaled to, in pixels. */
  pixels?: number;
}

/**
 * Pixels of the longer side of an image: Anthropic scales larger ones down before its model sees them (platform.claude.com, “Vision”,
 * general limits), and the others don’t gain from more.
 */
const usualPixels = 1568;
/** Above it, Anthropic refuses a request with more than 20 images. */
const mostPixels = 2000;

export function createReadTool({ tags, images, pixels = usualPixels }: ReadToolOptions): Tool {
  const manner = { tags, images, pixels: Math.min(pixels, mostPixels) };
  return defineTool({
    name: 'read',
    description: tags ? `${description} ${tagsDescription}` : description,
    input: schema,
    resultLimit: charactersShown,
    idempotent: true,
    deferral: 'never',
    effects: ({ path }, context) => effectsOnFile(path, ['read'], context),
    execute: (args, context) => read(args, context, manner),
    summary: ({ path }) => `read ${path}`,
  });
}

export const readTool = createReadTool({ tags: false, images: true });
