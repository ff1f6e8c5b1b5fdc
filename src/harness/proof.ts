/** The joint of what proves the work: checks with their evidence, and the judge of a goal. */
import type { Judge, Verifier } from '../core/index.ts';
import type { Shell } from '../exec/index.ts';
import type { Redactor } from '../safety/index.ts';
import { shownAsData } from '../tools/index.ts';
import { createVerifier } from '../verify/index.ts';
import type { SessionCheckpoints } from './checkpoints.ts';
import type { Hands } from './hands.ts';
import type { Provider } from './models/index.ts';
import type { OpenRecord } from './record.ts';
import { afterSending } from './while-answering.ts';

interface ProofParts {
  provider: Provider;
  hands: Hands;
  record: OpenRecord;
  /** The real path of the workspace. */
  workspace: string;
  secrets: Redactor;
}

export function proofFor(
  parts: ProofParts,
  shell: Shell,
  checkpoints: SessionCheckpoints | undefined,
): { verifier: Verifier; judge: Judge } {
  const { hands, record, workspace } = parts;
  const { blobs } = record.session;
  const verifier = createVerifier({
    workspace,
    runner: shell,
    git: hands.git,
    gitAt: (folder) => hands.gitAt(folder),
    keep: (bytes) => blobs.put(bytes),
    load: (blob) => blobs.get(blob).catch(() => undefined), // Head and tail are shown then.
    ...(checkpoints !== undefined && { present: () => checkpoints.present() }),
    show: shownAsData,
    searchPath: hands.environment['PATH'] ?? '',
  });
  return { verifier: afterSending(verifier), judge: judgeOf(parts) };
}

/** Few runs have a goal: who judges it is loaded when it is needed. */
function judgeOf({ provider, record, hands, workspace, secrets }: ProofParts): Judge {
  return {
    judge: async (view, goal, signal) => {
      const { judgeFor } = await import('./judge/index.ts');
      const redact = (text: string): string => secrets.redact(text);
      return judgeFor({ connect: provider.aside, record, hands, workspace, redact }).judge(view, goal, signal);
    },
  };
}
