/** The joint between calls and what decides, keeps and looks at them: policy, approval, checkpoints, diagnostics. */
import { loadGrants, saveGrant, type GrantPlace, type LoadedSettings } from '../config/index.ts';
import type { EventData } from '../core/index.ts';
import { createPolicy, parseShape, placeholderIn, type PolicyRule, type Redactor } from '../safety/index.ts';
import { createCalls, type Diagnostics, type ReadyCalls, type Registry } from '../tools/index.ts';
import { answeredAnywhere, nobody } from './approval.ts';
import type { SessionCheckpoints } from './checkpoints.ts';
import { systemClock } from './clock.ts';
import type { Hands } from './hands.ts';
import type { Shell } from '../exec/index.ts';
import type { OpenRecord } from './record.ts';
import { learnedFrom, learningFiles } from './secrets.ts';
import type { SessionOptions } from './types.ts';

interface CallParts {
  hands: Hands;
  record: OpenRecord;
  tools: { registry: Registry; shell: Shell };
  checkpoints: SessionCheckpoints | undefined;
  diagnostics: Diagnostics;
  /** The real path of the workspace. */
  workspace: string;
  secrets: Redactor;
}

export function callsFor(options: SessionOptions, loaded: LoadedSettings, parts: CallParts): ReadyCalls {
  const { hands, record, tools, checkpoints, diagnostics, workspace, secrets } = parts;
  const { session, recorder, known } = record;
  const place = placeOf(options, workspace);
  const learn = learningFiles(secrets, workspace);
  recorder.listen(({ kind, data }) => {
    if (kind === 'result' && (data.mayHaveChanged === true || data.changes !== undefined)) learn();
  });
  const policy = createPolicy({
    mode: loaded.settings.mode,
    rules: rulesOf(loaded),
    sandboxed: hands.report.works,
    workspace,
    grants: loadGrants(place).shapes,
  });
  return createCalls({
    registry: tools.registry,
    policy: {
      mode: policy.mode,
      judge: (call) => policy.judge(call),
      grant: async (shape) => {
        await policy.grant(shape);
        saveGrant(place, shape);
      },
    },
    approver: answeredAnywhere(options.approver ?? nobody, recorder),
    files: learnedFrom(hands.files, secrets),
    blobs: session.blobs,
    clock: systemClock,
    // The disk and the sandbox at the same time: a command needs both.
    beforeEffect: async ({ command }) => {
      await Promise.all([recorder.sync(), command === undefined ? undefined : tools.shell.prime()]);
    },
    known,
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

/** The shapes of the settings as rules. What an untrusted project may not widen was left out when the settings were loaded. */
function rulesOf({ entries, project }: LoadedSettings): PolicyRule[] {
  return entries.flatMap(({ path: [key], value, origin: { layer } }) => {
    if ((key !== 'allow' && key !== 'ask' && key !== 'deny') || typeof value !== 'string') return [];
    if (layer !== 'user' && layer !== 'project' && layer !== 'command-line') return [];
    return [{ effect: key, shape: value, from: layer, trusted: project?.trusted ?? false }];
  });
}

/** A rule that names no tool holds for nothing: whoever wrote it should not feel safe. */
export function strangeShapes(loaded: LoadedSettings, tools: readonly string[]): EventData['notice'][] {
  return rulesOf(loaded).flatMap(({ effect, shape }): EventData['notice'][] => {
    const parsed = parseShape(shape);
    if ('problem' in parsed || tools.includes(parsed.tool)) return [];
    const text = `The rule "${effect} ${shape}" names no tool: ${tools.join(', ')} are there.`;
    return [{ code: 'rule-without-tool', level: 'warning', text }];
  });
}
