/** `reins demo`: the ordinary way of a run on a bundled broken project, with a rehearsed model. */
import { cpSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunSettings } from '../../../harness/index.ts';
import type { Command } from '../command.ts';
import type { Output } from '../output.ts';
import { oneLine, printable } from '../printable.ts';
import { packageRoot, programName } from '../program.ts';
import { commitAll } from '../demo-repository.ts';
import { styleOf, type Style } from '../render/index.ts';
import { reportOutcome, runTask, type RunRequest, type RunResult } from '../run-session.ts';

const task = 'The tests fail. Find out why and fix the code, not the tests.';
const check = 'node --test';
/** The only command that the scenario has the model run. */
const commandsOfScenario = ['node --test test/invoice.test.js'];

export const command: Command = {
  name: 'demo',
  summary: 'Show a whole run on a small broken project, with a rehearsed model: no key, no network.',
  usage: ['demo'],
  examples: ['demo'],
  positionals: 0,
  options: [],
  async run(_parsed, { output }) {
    const source = join(packageRoot(), 'examples', 'demo');
    const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'reins-demo-')));
    cpSync(join(source, 'workspace'), workspace, { recursive: true });
    await commitAll(workspace, 'Add up invoices and print them');
    const scenario = join(source, 'scenario.json');
    output.err.write(`A copy of a small project with failing tests is in ${workspace}.\n`);
    output.err.write(`The task: ${task}\n`);

    const { result, request } = await runAsSafelyAsCan(workspace, scenario, output);
    showDiff(result.diff, output, styleOf(output.err));
    await reportOutcome(result, request, output);
    output.err.write(`\n${closingWords(result, workspace, scenario).join('\n')}\n`);
    return result.exit;
  },
};

/** In mode auto where the sandbox works; where it doesn't, in mode edit with what the scenario runs allowed by its exact words. */
async function runAsSafelyAsCan(
  workspace: string,
  scenario: string,
  output: Output,
): Promise<{ result: RunResult; request: RunRequest }> {
  const settings: RunSettings = { model: `script:${scenario}`, checks: [check] };
  const common = { workspace, trust: false, again: [], task, mayAsk: false, deltas: false, showDiff: true };
  const run = async (request: RunRequest) => ({ result: await runTask(request, output), request });
  try {
    const note = 'Mode auto: the sandbox works here, so whatever the model runs is let pass inside it.';
    return await run({ ...common, note, settings: { ...settings, mode: 'auto' } });
  } catch (error) {
    const { code, detail } = error as { code?: unknown; detail?: unknown };
    if (code !== 'mode-unavailable') throw error;
    const allow = commandsOfScenario.map((each) => `shell(${each})`);
    const note = `Mode edit, with ${allow.join(', ')} allowed, since there is no sandbox here: ${String(detail)}`;
    return run({ ...common, note, settings: { ...settings, mode: 'edit', allow } });
  }
}

function showDiff(diff: string, { err }: Output, style: Style): void {
  if (diff === '') return;
  const lines = printable(diff).trimEnd().split('\n');
  const painted = lines.map((line) => {
    if (line.startsWith('+')) return style.good(line);
    if (line.startsWith('-')) return style.bad(line);
    return line.startsWith('@@') ? style.dim(line) : line;
  });
  err.write(`\nThe diff:\n\n${painted.join('\n')}\n\n`);
}

function closingWords({ outcome }: RunResult, workspace: string, scenario: string): string[] {
  const reins = programName();
  const id = oneLine(outcome.session);
  return [
    'This was a rehearsal: the replies came from a scenario file and not from a model. All the rest was the ordinary way of',
    `\`reins run\`: requests over HTTP, tools, ${outcome.evidence.length === 0 ? 'record' : 'check, record'}. To look into it:`,
    '',
    `  ${reins} log ${id}`,
    `  ${reins} log ${id} --request 1`,
    `  ${reins} log ${id} --verify ${outcome.head}`,
    '',
    'To rehearse a scenario of your own, or this one again on a fresh copy (docs/testing.md):',
    '',
    `  ${reins} run -C FOLDER --model script:${quoted(scenario)} --check "${check}" "${task}"`,
    '',
    'With a model: set the key of a provider (`reins models` lists them) and leave --model out, or name one.',
    `The folder ${workspace} stays until you delete it.`,
  ];
}

/** A path as a word of a shell command. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
