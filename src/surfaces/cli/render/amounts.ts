/** Figures in words: tokens, dollars, times and sizes. */
import { grouped, type Usage } from '../../../harness/index.ts';

/** Milliseconds -> `0.4 s`, `12 s`, `3 min 5 s`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`;
}

/** Four digits of a small sum, cents of a large one. */
export function dollars(amount: number): string {
  return amount < 1 ? `$${amount.toFixed(4)}` : `$${amount.toFixed(2)}`;
}

/** Tokens as reported; what a provider did not report is not called zero. */
export function tokens(usage: Usage): string {
  const { input, cacheRead, cacheWrite, output } = usage;
  const reported = [input, cacheRead, cacheWrite].filter((count) => count !== undefined);
  if (reported.length === 0 && output === undefined) return 'tokens not reported';
  const sum = reported.reduce((total, count) => total + count, 0);
  const ofIt = [
    ...(cacheRead === undefined || cacheRead === 0 ? [] : [`${grouped(cacheRead)} from the cache`]),
    ...(cacheWrite === undefined || cacheWrite === 0 ? [] : [`${grouped(cacheWrite)} written to it`]),
  ];
  const into =
    reported.length === 0
      ? 'input not reported'
      : `${grouped(sum)} in${ofIt.length > 0 ? ` (${ofIt.join(', ')})` : ''}`;
  return `${into}, ${output === undefined ? 'output not reported' : `${grouped(output)} out`}`;
}

/** Local time: `11-30 14:02:11`. */
export function clockTime(at: number): string {
  const time = new Date(at);
  const [month, day, hours, minutes, seconds] = [
    time.getMonth() + 1,
    time.getDate(),
    time.getHours(),
    time.getMinutes(),
    time.getSeconds(),
  ].map((figure) => String(figure).padStart(2, '0'));
  return `${month}-${day} ${hours}:${minutes}:${seconds}`;
}
