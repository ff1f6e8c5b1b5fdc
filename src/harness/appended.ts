/** The joint for what is added to the prompt: by the settings (so by a profile), and for one run. */
import type { LoadedSettings } from '../config/index.ts';
import { ReinsError } from '../core/index.ts';
import { ownText } from './own-text.ts';

/** Bytes that may be added to the prompt of a run. */
const most = 32 * 1024;

/** Both texts, that of the run last; undefined where there is none. Throws `config-invalid` for a file that isn't there and for too much. */
export function appendedLayer(
  loaded: Pick<LoadedSettings, 'settings' | 'places'>,
  given: string | undefined,
): string | undefined {
  const texts = [ofSettings(loaded), given].filter((text) => text !== undefined && text.trim() !== '');
  if (texts.length === 0) return undefined;
  const text = texts.join('\n\n');
  const size = Buffer.byteLength(text);
  if (size > most)
    throw new ReinsError('config-invalid', `What is added to the prompt has ${size} bytes, more than ${most}.`);
  return text;
}

/** `@NAME` stands for a file of the user's, so that no settings of a project can have another file read. */
function ofSettings({
  settings: { appendPrompt },
  places,
}: Pick<LoadedSettings, 'settings' | 'places'>): string | undefined {
  const [, name] = /^@([A-Za-z0-9][A-Za-z0-9_-]{0,63})$/.exec(appendPrompt ?? '') ?? [];
  if (name === undefined) return appendPrompt;
  const missing = (file: string) => `The setting appendPrompt names ${file}, and there is no such file.`;
  return ownText(places, { folder: 'prompts', name, largest: most }, missing);
}
