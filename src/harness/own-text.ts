/** The joint for texts that the user keeps as files beside the settings. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LoadedSettings } from '../config/index.ts';
import { ReinsError } from '../core/index.ts';

interface OwnText {
  /** `styles`, `prompts`. */
  folder: string;
  name: string;
  /** Bytes. */
  largest: number;
}

/** Throws `config-invalid` where there is no such file, with what is said then, or where it is too large. */
export function ownText(
  { settings }: LoadedSettings['places'],
  { folder, name, largest }: OwnText,
  missing: (file: string) => string,
): string {
  const file = join(dirname(settings), folder, `${name}.md`);
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile()) throw new ReinsError('config-invalid', missing(file));
  if (status.size > largest) throw new ReinsError('config-invalid', `${file} has more than ${largest} bytes.`);
  return readFileSync(file, 'utf8').trim();
}
