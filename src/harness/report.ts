/** The joint for questions about this machine and its settings: `reins config` and `reins doctor`. */
import { realpathSync } from 'node:fs';
import { commandEnvironment, placesOf, settingsRows, type LoadedSettings, type Row } from '../config/index.ts';
import { ReinsError, type EventData } from '../core/index.ts';
import { chooseSandbox, type SandboxReport } from '../exec/index.ts';
import { canReach, egressFor, reachableHosts } from './egress.ts';
import { settingsFor } from './settings.ts';
import { sandboxSettings } from './hands.ts';
import type { SessionOptions } from './types.ts';
import { version } from './version.ts';

type Asked = Pick<SessionOptions, 'workspace' | 'env' | 'settings' | 'trust'>;

/** Each setting in force and where it comes from. Rejects as loading the settings does. */
export async function settingsReport(asked: Asked): Promise<{ rows: Row[]; notices: EventData['notice'][] }> {
  const loaded = await settingsFor(asked);
  return { rows: settingsRows(loaded, asked.env), notices: loaded.notices };
}

export interface DoctorRow {
  name: string;
  ok: boolean;
  detail: string;
}

/** What works on this machine, each thing tried out. */
export async function doctor(asked: Pick<SessionOptions, 'workspace' | 'env'>): Promise<{ rows: DoctorRow[] }> {
  const { row, workspace, settings } = await settingsRow(asked);
  const environment = commandEnvironment(asked.env);
  const { state } = placesOf(asked.env);
  const { sandbox, report } = await chooseSandbox({
    workspace,
    environment,
    hide: [state],
    ...(settings !== undefined && sandboxSettings(settings)),
  });
  try {
    const rows: DoctorRow[] = [
      {
        name: 'Reins',
        ok: true,
        detail: `${version} on Node ${process.versions.node}, ${process.platform} ${process.arch}`,
      },
      {
        name: 'sandbox',
        ok: report.works,
        detail: report.works ? `${report.sandbox}, tried out here` : (report.reason ?? 'it does not work'),
      },
      { name: 'mode auto', ok: report.works, detail: report.works ? 'available' : 'not available without the sandbox' },
      ...report.enforced.map((detail) => ({ name: 'enforced', ok: true, detail })),
      ...report.notes.map((detail) => ({ name: 'note', ok: true, detail })),
      ...(settings === undefined ? [] : await egressRows(settings, workspace, report, asked.env)),
      { name: 'sessions', ok: true, detail: state },
      row,
    ];
    return { rows };
  } finally {
    await sandbox.close();
  }
}

/** Where hosts are granted, whether and how commands reach them. */
async function egressRows(
  settings: LoadedSettings['settings'],
  workspace: string,
  report: SandboxReport,
  env: Asked['env'],
): Promise<DoctorRow[]> {
  const name = 'egress';
  try {
    const egress = await egressFor({ settings }, workspace, env);
    if (egress === undefined) return [];
    await egress.close();
    const hosts = reachableHosts(settings).join(', ');
    if (!canReach(report)) return [{ name, ok: false, detail: `${hosts} can’t be reached: that takes bubblewrap` }];
    const relay =
      egress.relay === 'native'
        ? 'through the shipped relay'
        : 'through Node, since the shipped relay can’t be used here';
    return [{ name, ok: true, detail: `${hosts}, ${relay}` }];
  } catch (error) {
    if (!(error instanceof ReinsError)) throw error;
    return [{ name, ok: false, detail: error.message }];
  }
}

/** The settings as a run would load them: a mistake in them is a finding, a workspace that isn't one is refused. */
async function settingsRow(
  asked: Asked,
): Promise<{ row: DoctorRow; workspace: string; settings?: LoadedSettings['settings'] }> {
  const name = 'settings';
  const { settings: file } = placesOf(asked.env);
  try {
    const { settings } = await settingsFor(asked);
    const row = { name, ok: true, detail: `the user’s are in ${file}` };
    return { row, workspace: realpathSync(asked.workspace), settings };
  } catch (error) {
    if (!(error instanceof ReinsError) || error.code === 'workspace-missing') throw error;
    return { row: { name, ok: false, detail: error.message }, workspace: realpathSync(asked.workspace) };
  }
}
