/** What fills a window, in words, the largest first. */
import { estimatedInput, tokensIn, windowOf } from './estimate.ts';
import { replySize, segmentSize } from './segment.ts';
import type { Target } from './setup.ts';
import { sizeOf } from './sizes.ts';
import { standingSize } from './tokens.ts';
import type { View } from './view.ts';

export function fillingOf(view: View, target: Target): string {
  const { segments } = view.transcript;
  const parts = { standing: standingSize(view.setup), replies: 0, results: 0, user: 0, reins: 0 };
  for (const segment of segments) {
    const replies = replySize(segment);
    parts.replies += replies;
    let said = 0;
    for (const { from, text, images } of segment.texts) {
      const bytes = sizeOf(text, images);
      parts[from === 'outside' ? 'user' : 'reins'] += bytes;
      said += bytes;
    }
    parts.results += segmentSize(segment) - replies - said;
  }
  const tokens = (bytes: number) => `${tokensIn(view, bytes, target)} tokens`;
  const named: [bytes: number, what: string][] = [
    [parts.standing, 'the prompt with its instructions and tools'],
    [parts.user, 'what the user said'],
    [parts.results, 'results of tools'],
    [parts.replies, 'what the model said'],
    [parts.reins, 'what Reins said, summaries included'],
  ];
  const largest = named.filter(([bytes]) => bytes > 0).toSorted(([a], [b]) => b - a);
  const shown = largest.map(([bytes, what]) => `${what} (${tokens(bytes)})`).join(', ');
  const whole = `about ${estimatedInput(view, target)} tokens in a window of ${windowOf(view, target)}`;
  return `It has ${whole}: ${shown}.`;
}
