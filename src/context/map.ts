/** The map of the repository at the start, for the prompt. */
import { marked } from './marks.ts';
import { standingFragments } from './prompt/index.ts';

/** `text`: as the model may see it. */
export function mapLayer(text: string): string {
  return `${standingFragments.map.text}\n${marked('map', text)}`;
}
