/** The joint for the model of a session that goes on: it keeps its own, unless this run asks for another. */
import type { LoadedSettings } from '../../config/index.ts';
import { targetName, type EventData, type SetupData, type Target } from '../../core/index.ts';
import { isAskedFor } from './targets.ts';

/** What a rehearsal was played by is no model that could be asked again. */
const scripted = 'script';

/** The settings of a run that goes on with a session: its own model as if it had been asked for, unless another one was. */
export function goingOn(loaded: LoadedSettings, earlier: SetupData | undefined): LoadedSettings {
  if (earlier === undefined || earlier.provider === scripted || isAskedFor(loaded)) return loaded;
  const { settings, origins } = loaded;
  return {
    ...loaded,
    settings: { ...settings, model: targetName(earlier) },
    origins: { ...origins, model: { layer: 'command-line' } },
  };
}

/** That the conversation goes to another model than before is something to know. */
export function switchNotices(earlier: SetupData | undefined, target: Target): EventData['notice'][] {
  if (earlier === undefined || targetName(earlier) === targetName(target)) return [];
  const text = `The session goes on with ${targetName(target)} instead of ${targetName(earlier)}.`;
  return [{ code: 'model-switched', level: 'info', text }];
}
