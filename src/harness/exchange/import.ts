/** The joint for imports: a session file of another harness becomes a session of a workspace. */
import { realpathSync, rmSync } from 'node:fs';
import { placesOf } from '../../config/index.ts';
import { plural, ReinsError, systemReason, type Admit, type EventData } from '../../core/index.ts';
import { createSession, loadImports, type ImportFormat, type Origin, type ReadSession } from '../../session/index.ts';
import { admission } from '../admission.ts';
import { secretsOutside } from '../secrets.ts';
import { version } from '../version.ts';

type Variables = { readonly [name: string]: string | undefined };

export interface ImportOptions {
  file: string;
  /** The folder that the session is to belong to: what the file says of folders is only told. */
  workspace: string;
  /** Which harness wrote it; told by its content where it isn't said. */
  format?: ImportFormat;
}

export interface SessionImport {
  session: string;
  format: ImportFormat;
  /** What was taken over. */
  said: number;
  replies: number;
  calls: number;
  /** Calls whose result isn't in the file. */
  lost: number;
  /** Named branches (`imported-1`, ...) that were made of conversations that were left. */
  branches: number;
  /** What was not, by what it is. */
  leftOut: { what: string; count: number }[];
  /** Lines that can't be read; the first of them. */
  broken: { count: number; first: { line: number; why: string }[] };
}

const mostNamed = 20;

/** Rejects with `import-invalid`, `workspace-missing` and `state-unwritable`; then there is no new session. */
export async function importSession(
  env: Variables | undefined,
  { file, workspace, format }: ImportOptions,
): Promise<SessionImport> {
  const { readForeign, writeHistory } = await loadImports();
  const read = await readForeign(file, format);
  const folder = realFolder(workspace);
  // The session is as old as what is in it, where the file tells that.
  const at = read.history.items[0]?.at || Date.now();
  const session = await createSession(placesOf(env).state, { workspace: folder, reins: version, at });
  try {
    const report = reportOf(session.id, read);
    await writeHistory(session, read, redacting(env, folder), (lost) => {
      report.lost = lost;
      return { kind: 'notice', data: noticeOf(file, read.history.origin, report) };
    });
    await session.close();
    return report;
  } catch (error) {
    await session.close();
    rmSync(session.folder, { recursive: true, force: true });
    throw error;
  }
}

function reportOf(
  session: string,
  { format, history: { items, leftOut }, branches, broken }: ReadSession,
): SessionImport {
  const replies = items.filter((item) => item.kind === 'reply');
  return {
    session,
    format,
    said: items.length - replies.length,
    replies: replies.length,
    calls: replies.flatMap(({ parts }) => parts.filter(({ type }) => type === 'call')).length,
    lost: 0,
    branches: branches.length,
    leftOut: [...leftOut].map(([what, count]) => ({ what, count })),
    broken: { count: broken.length, first: broken.slice(0, mostNamed) },
  };
}

/** What came in elsewhere can't be refused here: what a person wrote is redacted, too. */
function redacting(env: Variables | undefined, workspace: string): Admit {
  const secrets = secretsOutside(env, workspace);
  const admit = admission(secrets);
  return (draft) => {
    if (draft.kind !== 'input') return admit(draft);
    return { kind: 'input', data: { ...draft.data, text: secrets.redact(draft.data.text) } };
  };
}

function noticeOf(file: string, origin: Origin, report: SessionImport): EventData['notice'] {
  const { format, said, replies, calls, lost, branches, leftOut, broken } = report;
  const left = leftOut.map(({ what, count }) => `${what} (${count})`).join(', ');
  const text =
    `Imported from a session of ${format} (${file}): ${plural(said, 'input')}, ${plural(replies, 'reply', 'replies')}, ${plural(calls, 'call')}, ${lost} of them ` +
    `without a result${branches === 0 ? '' : `, and ${plural(branches, 'branch', 'branches')}`}.${left === '' ? '' : ` Left out: ${left}.`}${broken.count === 0 ? '' : ` ${plural(broken.count, 'line')} can’t be read.`}`;
  return { code: 'imported', level: 'info', text, data: { format, origin: { ...origin } } };
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    throw new ReinsError('workspace-missing', `${folder} can’t be used: ${systemReason(error)}.`, { cause: error });
  }
}
