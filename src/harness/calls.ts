/** The joint between calls and what decides, keeps and looks at them: policy, approval, checkpoints, diagnostics. */
import { loadGrants, saveGrant, type GrantPlace, type LoadedSettings } from '../config/index.ts';
import type { EventData } from '../core/index.ts';
import { createPolicy, loadContent, placeholderIn, type Redactor } from '../safety/index.ts';
import { ageOf, createCalls, type Diagnostics, type ReadyCalls, type Registry } from '../tools/index.ts';
import { answeredAnywhere, type Approval } from './approval.ts';
import type { SessionCheckpoints } from './checkpoints.ts';
import { systemClock } from './clock.ts';
import type { Hands } from './hands.ts';
import type { Shell } from '../exec/index.ts';
import type { OpenRecord } from './record.ts';
import { withPlan, type PlanPlace } from './plan-file.ts';
import { budgetsOf, ownPlaces, rulesOf } from './rules.ts';
import { learnedFrom, learningFiles } from './secrets.ts';
import { withinScope } from './scope.ts';
import { scopeOf } from './setup.ts';
import type { SessionOptions } from './types.ts';

interface CallParts {
  hands: Hands;
  record: OpenRecord;
  tools: { registry: Registry; shell: Shell };
  checkpoints: SessionCheckpoints | undefined;
  diagnostics: Diagnostics;
  approval: Approval;
  /** The real path of the workspace. */
  workspace: string;
  secrets: Redactor;
  /** In mode plan, the one file that may be written. */
  plan?: PlanPlace | undefined;
}

export function callsFor(options: SessionOptions, loaded: LoadedSettings, parts: CallParts): ReadyCalls {
  const { hands, record, tools, checkpoints, diagnostics, approval, workspace, secrets, plan } = parts;
  const { session, recorder, known } = record;
  const place = placeOf(options, workspace);
  const { staleAfter } = budgetsOf(loaded);
  const learn = learningFiles(secrets, workspace);
  recorder.listen(({ kind, data }) => {
    if (kind === 'result' && (data.mayHaveChanged === true || data.changes !== undefined)) learn();
  });
  const policy = createPolicy({
    mode: loaded.settings.mode,
    rules: rulesOf(loaded),
    sandboxed: hands.report.works,
    workspace,
    ...ownPlaces(options.env),
    ...(plan !== undefined && { planFile: plan.file }),
    environmentFiles: loaded.settings.files.env === 'allow',
    pack: loaded.settings.pack,
    grants: [...loadGrants(place).shapes, ...known.granted],
    ...(staleAfter !== undefined && { staleRead: { most: staleAfter, ageOf: (path) => ageOf(known, path) } }),
  });
  return createCalls({
    registry: tools.registry,
    policy: {
      mode: policy.mode,
      judge: withinScope((call) => policy.judge(call), scopeOf(options.settings), workspace),
      // For the session: its log has the answer, and gives the shape back when it goes on.
      grant: async (shape, scope) => {
        await policy.grant(shape);
        if (scope === 'always') saveGrant(place, shape);
      },
    },
    approver: answeredAnywhere(approval, recorder),
    ...(approval.within !== undefined && { answerWithin: approval.within }),
    files: learnedFrom(plan === undefined ? hands.files : withPlan(hands.files, plan, workspace), secrets),
    blobs: session.blobs,
    clock: systemClock,
    // The disk and the sandbox at the same time: a command needs both.
    beforeEffect: async ({ command }) => {
      await Promise.all([recorder.sync(), command === undefined ? undefined : tools.shell.prime()]);
    },
    known,
    inspect: async (text) => (await loadContent()).suspicionsIn(text),
    workspace,
    diagnostics,
    secrets: {
      redact: (text, sources) => secrets.redact(text, sources),
      resolve: (text, present) => secrets.resolve(text, present),
      placeholderIn,
    },
    ...(checkpoints !== undefined && { checkpoints }),
    ...(options.hooks !== undefined && { hooks: options.hooks }),
  });
}

function placeOf({ env }: SessionOptions, workspace: string): GrantPlace {
  return { workspace, ...(env !== undefined && { env }) };
}

/** Why shapes that were granted for this workspace don't count, if they don't. */
export function grantNotices(options: SessionOptions, workspace: string): EventData['notice'][] {
  const { problem } = loadGrants(placeOf(options, workspace));
  return problem === undefined ? [] : [{ code: 'grants-refused', level: 'warning', text: problem }];
}
