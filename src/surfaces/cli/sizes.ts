/** Sizes as people give and read them. */
import { UsageError } from './arguments.ts';
import { oneLine } from './printable.ts';

const units: { readonly [unit: string]: number } = {
  '': 1,
  B: 1,
  kB: 1e3,
  KB: 1e3,
  KiB: 1024,
  MB: 1e6,
  MiB: 1024 ** 2,
  GB: 1e9,
  GiB: 1024 ** 3,
};

/** `500MB`, `1.5GiB`, plain bytes. */
export function bytesIn(option: string, value: string): number {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)([kKMG]i?B|B|)$/.exec(value) ?? [];
  const each = units[unit];
  if (count !== '' && each !== undefined) return Math.round(Number(count) * each);
  throw new UsageError(`--${option} must be a size like 500MB or 5GiB, not ${JSON.stringify(oneLine(value))}.`);
}

/** 1234567 -> `1.2 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
