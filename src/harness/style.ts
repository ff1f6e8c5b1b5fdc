/** The joint for the style in which a model is asked to write: a shipped one, or a file of the user's. */
import type { LoadedSettings } from '../config/index.ts';
import { styles } from '../context/index.ts';
import { ownText } from './own-text.ts';

/** Bytes of a style. */
const largest = 8 * 1024;

type Loaded = Pick<LoadedSettings, 'settings' | 'places'>;

/** The layer of the style; undefined for the default one. Throws `config-invalid` where there is no such style. */
export function styleLayer({ settings: { style }, places }: Loaded): string | undefined {
  if (style === 'default') return undefined;
  const shipped = Object.hasOwn(styles, style) ? styles[style] : undefined;
  if (shipped !== undefined) return shipped.text;
  const known = ['default', ...Object.keys(styles)].join(', ');
  const missing = (file: string) => `There is no style ${style}: ${known} are shipped, your own would be ${file}.`;
  const text = ownText(places, { folder: 'styles', name: style, largest }, missing);
  return text === '' ? undefined : `# Style\n${text}`;
}
