/** `reins policy`: what the rules say of commands, without running any. */
import type { PolicyAnswer, PolicyDesk } from '../../../harness/index.ts';
import { oneOf, UsageError, valueIn, type Arguments } from '../arguments.ts';
import type { Command } from '../command.ts';
import { givenText } from '../given-file.ts';
import { jsonLine } from '../json-lines.ts';
import type { Writer } from '../output.ts';
import { oneLine } from '../printable.ts';
import { policyLines, styleOf, testLine } from '../render/index.ts';
import { linesOf } from '../stdin-lines.ts';

const modes = ['plan', 'ask', 'edit', 'auto', 'unsafe'] as const;

export const command: Command = {
  name: 'policy',
  summary: 'Explain what would be decided about a command, or check the rules by their examples.',
  usage: [
    'policy explain [--mode MODE] [--json] COMMAND',
    'policy explain --json --stdin [--mode MODE]',
    'policy test [FILE]',
  ],
  examples: ['policy explain "git push -f"', 'policy test'],
  positionals: 2,
  tooMany: 'A command is one argument: put it in quotation marks, as in reins policy explain "git push".',
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'The workspace; the current folder by default.' },
    {
      name: 'mode',
      value: 'MODE',
      about: `The mode to decide in: ${modes.join(', ')}. Of auto it is assumed that the sandbox works.`,
    },
    { name: 'stdin', about: 'With --json: reads one JSON string a line and answers one JSON object a line.' },
    { name: 'json', about: 'JSON objects instead of text.' },
  ],
  notes: [
    'Nothing is run, and nobody is asked. Without FILE, `policy test` checks the rules in force by their own examples; a FILE has',
    'a JSON object a line: {"command": "...", "verdict": "allow|ask|deny"}, or "class" instead of or beside "verdict".',
    'The exit code of `policy test` is 1 if something is not as it should be.',
  ],
  async run(parsed, { output: { out } }) {
    const [what, argument] = parsed.positionals;
    if (what === undefined)
      throw new UsageError('What is wanted of the rules: reins policy explain COMMAND, or reins policy test?');
    const action = oneOf('The first word', what, ['explain', 'test'] as const);
    const mode = valueIn(parsed, 'mode');
    const { openPolicy } = await import('../../../harness/index.ts');
    const wanted = checkUse(parsed, action, argument);
    const desk = await openPolicy({
      workspace: valueIn(parsed, 'directory') ?? process.cwd(),
      ...(mode !== undefined && { mode: oneOf('--mode', mode, modes) }),
    });
    try {
      if (action === 'test') return await runTests(desk, argument, out, parsed.options.has('json'));
      if (wanted === undefined) return await explainLines(desk, out);
      const answer = await desk.explain(wanted);
      out.write(parsed.options.has('json') ? jsonLine(answer) : policyLines(answer, desk.mode, styleOf(out)));
      return 0;
    } finally {
      await desk.close();
    }
  },
};

/** The command to be explained; undefined where they come from standard input, or tests are run. */
function checkUse(parsed: Arguments, action: 'explain' | 'test', argument: string | undefined): string | undefined {
  const isStream = parsed.options.has('stdin');
  if (action === 'test') {
    if (isStream) throw new UsageError('--stdin goes with `policy explain`.');
    return undefined;
  }
  if (isStream && !parsed.options.has('json')) throw new UsageError('--stdin goes with --json.');
  if (isStream && argument !== undefined) throw new UsageError('With --stdin the commands come from standard input.');
  if (!isStream && argument === undefined) {
    throw new UsageError('Which command? For example: reins policy explain "git push --force".');
  }
  return argument;
}

/** One JSON string a line in, one JSON object a line out, in the same order. */
async function explainLines(desk: PolicyDesk, out: Writer): Promise<number> {
  let number = 0;
  let exit = 0;
  for await (const line of linesOf(process.stdin)) {
    number += 1;
    if (line.trim() === '') continue;
    const given = parsedOr(line);
    if (typeof given !== 'string') {
      exit = 2;
      out.write(jsonLine({ line: number, error: 'A line must be one JSON string.' }));
      continue;
    }
    out.write(jsonLine(await desk.explain(given)));
    await out.ready();
  }
  return exit;
}

async function runTests(desk: PolicyDesk, file: string | undefined, out: Writer, asJson: boolean): Promise<number> {
  const results = file === undefined ? await desk.testExamples() : await testFile(desk, file);
  const style = styleOf(out);
  for (const result of results) {
    if (asJson) out.write(jsonLine(result));
    else if (!result.ok) out.write(testLine(result, style));
  }
  const failed = results.filter(({ ok }) => !ok).length;
  if (!asJson) {
    out.write(
      failed === 0 ? `${results.length} as expected.\n` : `${failed} of ${results.length} are not as expected.\n`,
    );
  }
  return failed === 0 ? 0 : 1;
}

async function testFile(desk: PolicyDesk, file: string) {
  const text = await givenText(oneLine(file), file);
  const results = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const test = testOf(line);
    if (test === undefined) {
      throw new UsageError(
        `${file}:${index + 1}: expected an object with "command", and "verdict" or "class" or both.`,
      );
    }
    const answer = await desk.explain(test.command);
    results.push({ where: `${file}:${index + 1}`, ...test, ...differenceOf(test, answer) });
  }
  return results;
}

interface PolicyTest {
  command: string;
  verdict?: string;
  class?: string;
}

function testOf(line: string): PolicyTest | undefined {
  const given = parsedOr(line);
  if (typeof given !== 'object' || given === null || !('command' in given)) return undefined;
  const test = given as PolicyTest;
  if (typeof test.command !== 'string') return undefined;
  return typeof test.verdict === 'string' || typeof test.class === 'string' ? test : undefined;
}

function differenceOf(test: PolicyTest, { verdict, class: of, rule, reason }: PolicyAnswer) {
  const isAsExpected = (test.verdict ?? verdict) === verdict && (test.class ?? of) === of;
  return { ok: isAsExpected, ...(!isAsExpected && { got: `${verdict} by ${rule} (${of}): ${reason}` }) };
}

function parsedOr(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // Told by whoever asked, with the line.
  }
}
