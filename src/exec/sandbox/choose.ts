/** Which sandbox holds the commands of a workspace: the tightest of this system that is seen to work. */
import type { SandboxParts } from './session-ground.ts';
import type { Sandbox, SandboxName, SandboxReport } from './sandbox.ts';

export interface Chosen {
  /** The one that works; without any, the one that only says why there is none. */
  sandbox: Sandbox;
  report: SandboxReport;
}

type Kinds = readonly Exclude<SandboxName, 'none'>[];

/** From the tightest on. */
const ofSystem: { readonly [platform: string]: Kinds } = {
  linux: ['bubblewrap', 'landlock'],
  darwin: ['seatbelt'],
};

/** Tries what this system has, each for real, until one holds. The report of another one than the first says why it isn't that. */
export async function chooseSandbox(
  options: SandboxParts,
  create: (kind: SandboxName) => Promise<Sandbox> | Sandbox,
  platform: string = process.platform,
): Promise<Chosen> {
  const failed: SandboxReport[] = [];
  for (const kind of ofSystem[platform] ?? []) {
    const sandbox = await create(kind);
    const report = await sandbox.probe();
    if (report.works) return { sandbox, report: { ...report, notes: [...report.notes, ...failed.map(whyNot)] } };
    await sandbox.close();
    failed.push(report);
    // Another one would fail for the same reason.
    if (report.obstacle === 'workspace') break;
  }
  const [first] = failed;
  const reason = failed.map(whyNot).join(' ') || `there is no sandbox for ${platform}`;
  const none = await create('none');
  const obstacle = first?.obstacle ?? 'unsupported';
  return { sandbox: none, report: { sandbox: 'none', works: false, obstacle, reason, enforced: [], notes: [] } };
}

function whyNot({ sandbox, reason }: SandboxReport): string {
  return `Not ${sandbox}: ${reason ?? 'it does not work'}.`;
}
