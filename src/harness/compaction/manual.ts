/** A compaction that a person asks for: of a session that is open, or of one that nobody drives. */
import { placesOf } from '../../config/index.ts';
import { compact, compactionOf, ReinsError, routed, type EventData, type Summariser } from '../../core/index.ts';
import { scan, sessionFolder } from '../../session/index.ts';
import { admission } from '../admission.ts';
import { findProvider, goingOn } from '../models/index.ts';
import { sessionId } from '../reader.ts';
import { letGo, openRecord, type OpenRecord } from '../record.ts';
import { secretsFor } from '../secrets.ts';
import { settingsFor } from '../settings.ts';
import type { SessionOptions } from '../types.ts';
import { summariserFor } from './summariser.ts';

/** Characters of a focus. */
const longestFocus = 2_000;

type Compaction = EventData['compaction'];

/** Undefined where nothing would be gained, or when it was cancelled. Rejects with `usage-arguments`. */
export async function compactNow(
  { recorder }: Pick<OpenRecord, 'recorder'>,
  summariser: Summariser,
  focus?: string,
): Promise<Compaction | undefined> {
  if ((focus?.length ?? 0) > longestFocus)
    throw new ReinsError('usage-arguments', `The focus has more than ${longestFocus} characters.`);
  const { view } = recorder;
  if (view.setup === undefined)
    throw new ReinsError('usage-arguments', 'The session has not begun: there is nothing to compact.');
  const action = compactionOf(view, routed(view)?.target ?? view.setup, 'manual');
  if (action === undefined) return undefined;
  const controller = new AbortController();
  const unlisten = recorder.listen(({ kind }) => void (kind === 'cancel' && controller.abort()));
  try {
    const focused = focus === undefined || focus.trim() === '' ? {} : { focus };
    return await compact({ recorder, ports: { summariser } }, { ...action, ...focused }, controller.signal);
  } finally {
    unlisten();
    await recorder.sync();
  }
}

export interface CompactOptions extends Pick<SessionOptions, 'env' | 'settings'> {
  /** A session by a unique beginning of its id, or the latest of a workspace. */
  session: string | { latest: string };
  focus?: string;
}

export interface CompactReport {
  session: string;
  /** Absent where nothing would be gained. */
  compaction?: Compaction;
}

/** Rejects with `session-missing`, `session-busy` and `usage-arguments`, and as a run does for models that can’t be asked. */
export async function compactSession({ session, focus, ...given }: CompactOptions): Promise<CompactReport> {
  const { state } = placesOf(given.env);
  const id = sessionId(given.env, session);
  const workspace = scan(sessionFolder(state, id)).session?.workspace;
  if (workspace === undefined)
    throw new ReinsError('usage-arguments', `The log of session ${id} doesn’t say in which workspace it worked.`);
  const options: SessionOptions = { ...given, workspace };
  const loaded = await settingsFor(options);
  const secrets = secretsFor(options, loaded, workspace);
  const record = await openRecord(state, id, workspace, admission(secrets));
  try {
    const onKey = (value: string) => secrets.learn([{ name: 'key', value }]);
    const provider = await findProvider({ ...options, onKey }, goingOn(loaded, record.view.setup));
    try {
      const compaction = await compactNow(record, summariserFor(provider.aside, record), focus);
      return { session: id, ...(compaction !== undefined && { compaction }) };
    } finally {
      await provider.close();
    }
  } finally {
    await letGo(record);
  }
}
