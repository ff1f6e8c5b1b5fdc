/** `reins capture`: records what any program sends to a model, and says what is in it. */
import { resolve } from 'node:path';
import { plural, type Capture, type CaptureAudit, type CaptureOptions } from '../../../harness/index.ts';
import { UsageError, valueIn, type Arguments, type CommandSpec } from '../arguments.ts';
import type { Command } from '../command.ts';
import { jsonLine } from '../json-lines.ts';
import type { Output, Writer } from '../output.ts';
import { oneLine } from '../printable.ts';
import { captureLines, styleOf } from '../render/index.ts';

const spec: CommandSpec = {
  name: 'capture',
  summary: 'Record what any program sends to a model.',
  usage: ['capture [options] -- PROGRAM [ARGUMENTS]', 'capture --audit DIR [--json]'],
  examples: ['capture -- claude -p "say hello"'],
  positionals: 0,
  tooMany: 'The program follows two dashes: reins capture -- CMD.',
  takesRest: true,
  options: [
    { name: 'out', value: 'DIR', about: 'Keep the bodies there; by default in a new folder of the state folder.' },
    { name: 'script', value: 'FILE', about: 'Answer as a scenario says, not with “done”.' },
    { name: 'refuse', about: 'Answer every request with HTTP 400.' },
    { name: 'audit', value: 'DIR', about: 'Show what is in an earlier capture.' },
    { name: 'json', about: 'With --audit: one JSON object.' },
  ],
  notes: [
    'The program runs here, without the keys of this environment, and finds a server on loopback in ANTHROPIC_BASE_URL,',
    'OPENAI_BASE_URL, OPENAI_API_BASE and GOOGLE_GEMINI_BASE_URL (plain in REINS_CAPTURE_URL). Bodies are kept, headers never.',
    'The exit code is the program’s; the table goes to standard error, with --audit to standard output.',
  ],
};

export const command: Command = {
  ...spec,
  async run(parsed, { output }) {
    const audit = valueIn(parsed, 'audit');
    if (audit !== undefined) return showAudit(audit, parsed, output.out);
    if (parsed.options.has('json')) throw new UsageError('--json goes with --audit: standard output is the program’s.');
    return record(optionsFrom(parsed), output);
  },
};

/** Throws a UsageError. */
export function optionsFrom({ options, rest }: Pick<Arguments, 'options' | 'rest'>): CaptureOptions {
  const [program, ...words] = rest;
  if (program === undefined || program === '') {
    throw new UsageError('Which program? It follows two dashes: reins capture -- claude -p "hello".');
  }
  const out = options.get('out')?.[0];
  return {
    command: [program, ...words],
    ...(out !== undefined && { out: resolve(out) }),
    answer: answerFrom(options),
    workspace: process.cwd(),
  };
}

function answerFrom(options: Arguments['options']): CaptureOptions['answer'] {
  const script = options.get('script')?.[0];
  if (options.has('refuse') && script !== undefined) throw new UsageError('--script and --refuse exclude each other.');
  if (options.has('refuse')) return 'refuse';
  return script === undefined ? 'done' : { scenario: script };
}

async function record(options: CaptureOptions, { err }: Output): Promise<number> {
  const { auditCapture, startCapture } = await import('../../../harness/index.ts');
  const attach = passSignals();
  const capture = await startCapture(options);
  attach(capture);
  const { exit, requests, unserved } = await capture.ended;
  err.write(`\ncaptured ${plural(requests, 'request')}${requests === 0 ? '' : ` in ${oneLine(capture.folder)}`}\n`);
  if (requests > 0) writeLines(await auditCapture(capture.folder), err);
  for (const what of unserved) err.write(`not served: ${oneLine(what)}\n`);
  return exit;
}

/** From now on, before the program runs: nothing may end this and leave the program behind. */
function passSignals(): (capture: Capture) => void {
  let attached: Capture | undefined;
  let early: NodeJS.Signals | undefined;
  // The terminal sends Ctrl-C to the program as well: it ends, or doesn't, and this goes with it.
  const wait = (): void => undefined;
  const pass = (signal: NodeJS.Signals): void => {
    early = signal;
    attached?.kill(signal);
  };
  process.on('SIGINT', wait).on('SIGTERM', pass).on('SIGHUP', pass);
  return (capture) => {
    attached = capture;
    if (early !== undefined) capture.kill(early);
  };
}

async function showAudit(folder: string, { options, rest }: Arguments, out: Writer): Promise<number> {
  const others = ['out', 'script', 'refuse'].filter((name) => options.has(name));
  if (others.length > 0 || rest.length > 0) throw new UsageError('--audit shows an earlier capture and runs nothing.');
  const { auditCapture } = await import('../../../harness/index.ts');
  const audit = await auditCapture(resolve(folder));
  if (options.has('json')) out.write(jsonLine(audit));
  else writeLines(audit, out);
  return 0;
}

function writeLines(audit: CaptureAudit, writer: Writer): void {
  writer.write(`${captureLines(audit, styleOf(writer)).join('\n')}\n`);
}
