/** What is said of how a command was ended. */
import type { Ended } from './process/index.ts';
import type { Limits, Stop } from './running.ts';
import { bytesText } from './sandbox/index.ts';

/** In words for the model; undefined where there is nothing to say. */
export function endedText(stop: Stop, ended: Ended, limits: Limits): string | undefined {
  const names = ended.names.join(', ');
  const survivors = ended.survivors.length > 0 ? ` Could not be ended: ${ended.survivors.join(', ')}.` : '';
  if (stop === 'exit') {
    if (names === '') return undefined;
    return `The command left processes running in the background; they were ended with it: ${names}.${survivors}`;
  }
  const what = names === '' ? 'the command was ended' : `everything that the command had started was ended: ${names}`;
  return `${whenText(stop, limits)} ${what}.${survivors}`;
}

function whenText(stop: Stop, { timeout, flood, use }: Limits): string {
  if (stop === 'time') return `At the time limit of ${timeout / 1000} s`;
  if (stop === 'flood') return `After more than ${flood} bytes of output`;
  if (stop === 'memory') return `At the sandbox’s limit of ${bytesText(use?.memory ?? 0)} of memory`;
  if (stop === 'processes') return `At the sandbox’s limit of ${use?.processes} processes`;
  if (stop === 'stalled') return 'Since it had stopped itself by a signal and nobody else could let it go on,';
  return stop === 'ended' ? 'As asked,' : 'On cancel';
}
