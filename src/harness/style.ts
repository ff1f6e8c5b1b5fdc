/** The joint for the style in which a model is asked to write: a shipped one, or a file of the user's. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LoadedSettings } from '../config/index.ts';
import { styles } from '../context/index.ts';
import { ReinsError } from '../core/index.ts';

/** Bytes of a style. */
const largest = 8 * 1024;

/** The layer of the style; undefined for the default one. Throws `config-invalid` where there is no such style. */
export function styleLayer({
  settings: { style },
  places,
}: Pick<LoadedSettings, 'settings' | 'places'>): string | undefined {
  if (style === 'default') return undefined;
  const shipped = Object.hasOwn(styles, style) ? styles[style] : undefined;
  return shipped?.text ?? ownStyle(style, join(dirname(places.settings), 'styles', `${style}.md`));
}

function ownStyle(style: string, file: string): string | undefined {
  const text = readStyle(style, file).trim();
  return text === '' ? undefined : `# Style\n${text}`;
}

function readStyle(style: string, file: string): string {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile()) {
    const known = ['default', ...Object.keys(styles)].join(', ');
    throw new ReinsError(
      'config-invalid',
      `There is no style ${style}: ${known} are shipped, your own would be ${file}.`,
    );
  }
  if (status.size > largest) throw new ReinsError('config-invalid', `${file} has more than ${largest} bytes.`);
  return readFileSync(file, 'utf8');
}
