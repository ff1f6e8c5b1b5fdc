/** What a run has of notes: their layer of the prompt, frozen with the session, and where proposals of the model go. */
import {
  changeMemory,
  loadMemory,
  memoryScopes,
  proposeMemory,
  type LoadedSettings,
  type MemoryScope,
} from '../../config/index.ts';
import { loadMemoryLayer } from '../../context/index.ts';
import type { EventData, View } from '../../core/index.ts';
import type { Redactor } from '../../safety/index.ts';
import { shownAsData, type NoteChange, type Notes } from '../../tools/index.ts';
import type { SessionOptions } from '../types.ts';
import { objectionTo } from './screening.ts';

/** Changes that a run may make itself, without a person’s word. */
const mostChanges = 20;

interface LayerParts {
  loaded: LoadedSettings;
  env: SessionOptions['env'];
  /** The real path of the workspace. */
  workspace: string;
  secrets: Pick<Redactor, 'redact'>;
  view: Pick<View, 'setup'>;
}

interface MemoryLayer {
  layer?: string | undefined;
  notices: EventData['notice'][];
}

/** What a session began with stays, also where it was nothing: a later change is for the next session. */
export async function memoryLayerFor({ loaded, env, workspace, secrets, view }: LayerParts): Promise<MemoryLayer> {
  const { enabled } = loaded.settings.memory;
  if (!enabled) return { notices: [] };
  const { setup } = view;
  if (setup !== undefined) return { layer: setup.system[setup.layers?.indexOf('memory') ?? -1], notices: [] };
  const notices: EventData['notice'][] = [];
  const shown: { scope: MemoryScope; text: string }[] = [];
  for (const scope of memoryScopes) {
    const { text, problem } = loadMemory({ scope, workspace, ...(env !== undefined && { env }) });
    const why = problem ?? (text === '' ? undefined : await objectionTo(text, secrets));
    if (why !== undefined) notices.push(leftOut(scope, why));
    // A damaged line costs only itself.
    if (text !== '' && (why === undefined || why === problem)) shown.push({ scope, text: shownAsData(text) });
  }
  if (shown.length === 0) return { notices };
  return { layer: (await loadMemoryLayer()).memoryLayer(shown), notices };
}

function leftOut(scope: MemoryScope, why: string): EventData['notice'] {
  const text = `Notes (${scope}) don’t reach the model as they are: ${why}`;
  return { code: 'memory-left-out', level: 'warning', text, data: { scope, why } };
}

/** Where the model’s notes go: to the inbox, or into the notes where the user’s settings say so. */
export function memoryFor(
  env: SessionOptions['env'],
  { settings }: LoadedSettings,
  workspace: string,
  secrets: Pick<Redactor, 'redact'>,
): Notes {
  let changes = 0;
  return {
    async change({ scope, ...change }: NoteChange) {
      const place = { scope, workspace, ...(env !== undefined && { env }) };
      const objection = await objectionTo(change.note ?? '', secrets);
      if (objection !== undefined) return { refused: objection };
      if (settings.memory.autoAccept) {
        // They count from the next session on: a model that goes on would push older versions out of the file for nothing.
        if (changes >= mostChanges)
          return { refused: `This run has changed the notes ${mostChanges} times; it can’t any more.` };
        changes += 1;
        const made = changeMemory(place, change, 'model');
        return 'refused' in made ? made : 'Noted; it is shown from the next session on.';
      }
      const laid = proposeMemory(place, change);
      return 'refused' in laid
        ? laid
        : `Proposed as ${laid.id}; it counts once the user accepts it, in later sessions.`;
    },
  };
}
