/** What is said of a request and of what was left out of it. */
import { grouped, type EventData } from '../../../harness/index.ts';
import { oneLine } from '../printable.ts';
import { dollars } from './amounts.ts';

/** What is going on while a model is asked beside the conversation. */
export const asideActivity: { readonly [purpose in EventData['aside']['purpose']]: string } = {
  summary: 'what came before is being summarised',
  judge: 'a judge looks at the evidence',
};

/** Where the cached beginning of a request broke, and what that may cost. */
export function missText({ broke = 'messages', miss }: EventData['request']): string {
  if (miss === undefined) return `the cached beginning of the request broke (${broke})`;
  const cost = miss.cost === undefined ? '' : `, up to ${dollars(miss.cost)}`;
  return `the cached beginning of the request broke at byte ${grouped(miss.at)}, ${miss.of}: about ${grouped(miss.tokens)} tokens${cost}`;
}

const reasons: { readonly [W in EventData['compaction']['why']]: string } = {
  overflow: 'the conversation didn’t fit',
  window: 'the window was nearly full',
  manual: 'compacted as asked',
};

export function compactionText({ why, elided, gist, problem, focus, before, after }: EventData['compaction']): string {
  const results = elided.length === 1 ? '1 old result elided' : `${elided.length} old results elided`;
  const turns =
    gist === undefined ? [] : [gist.summary === undefined ? 'older turns left out' : 'older turns summarised'];
  const done = [...turns, ...(elided.length > 0 || gist === undefined ? [results] : [])].join(', ');
  const looked = focus === undefined ? '' : `, with a focus on ${JSON.stringify(oneLine(focus))}`;
  const failed = problem === undefined ? '' : `; no new summary: ${oneLine(problem)}`;
  return `${reasons[why]}: ${done}${looked}, about ${grouped(before)} tokens before and ${grouped(after)} after${failed}`;
}

/** Which instruction files came in, changed or went. */
export function instructionsText({ files, gone = [] }: EventData['instructions']): string {
  const shown = files.map(({ path, bytes, before }) => `${path} (${before ? 'again' : `${grouped(bytes)} bytes`})`);
  return oneLine([...shown, ...gone.map((path) => `${path} (gone)`)].join(', ') || 'no room');
}
