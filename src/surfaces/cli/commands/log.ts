/** `reins log`: the record of a session, for people and for programs; its exact requests; its proof. */
import { plural, type SessionReader, type Verification } from '../../../harness/index.ts';
import { UsageError, valueIn, type Arguments, type CommandSpec } from '../arguments.ts';
import type { Command } from '../command.ts';
import { eventFields, jsonLine } from '../json-lines.ts';
import type { Writer } from '../output.ts';
import { oneLine, printableJson } from '../printable.ts';
import { cacheLines, EventLines, styleOf } from '../render/index.ts';

type Item = SessionReader extends { items(): Iterable<infer Each> } ? Each : never;

const spec: CommandSpec = {
  name: 'log',
  summary: 'Show the record of a session.',
  usage: ['log [ID]', 'log [ID] --request N', 'log [ID] --cache', 'log [ID] --verify [HASH]'],
  examples: ['log', 'log --request 3', 'log 7a4tjp --verify'],
  positionals: 2,
  options: [
    { name: 'directory', short: 'C', value: 'DIR', about: 'Without an ID: the latest session of this workspace.' },
    { name: 'request', value: 'N', about: 'Write the exact bytes of request N (from 1).' },
    { name: 'cache', about: 'Show what a cache had of each request, where it broke and what that cost.' },
    {
      name: 'verify',
      value: 'HASH',
      valueOptional: true,
      about: 'Check the chain and every fingerprint; with HASH also that the log ends, or once ended, there.',
    },
    { name: 'follow', short: 'f', about: 'Go on showing what is added, until Ctrl-C.' },
    { name: 'json', about: 'One JSON object a line (with --cache and --verify: one object).' },
  ],
  notes: ['With --verify the exit code is 1 if anything is wrong.'],
};

export const command: Command = {
  ...spec,
  async run(parsed, { output: { out, err } }) {
    const { id, hash } = identify(parsed);
    const what = ['request', 'cache', 'verify', 'follow'].filter((name) => parsed.options.has(name));
    if (what.length > 1) throw new UsageError(`--${what.join(' and --')} exclude each other.`);
    const isJson = parsed.options.has('json');
    const request = valueIn(parsed, 'request');
    if (request !== undefined && isJson)
      throw new UsageError('--request writes the bytes as they are: it goes without --json.');
    const number = request === undefined ? undefined : requestNumber(request);
    const { openReader } = await import('../../../harness/index.ts');
    const reader = await openReader(undefined, id ?? { latest: valueIn(parsed, 'directory') ?? process.cwd() });
    if (number !== undefined) return writeRequest(reader, number, out);
    if (parsed.options.has('cache')) return showCache(reader, isJson, out);
    if (parsed.options.has('verify')) return verify(reader, hash, isJson, out);
    const lineOf = isJson ? itemJson : linesFor(out);
    if (parsed.options.has('follow')) return follow(reader, lineOf, out, err);
    for (const item of reader.items()) {
      if (out.gone.aborted) break;
      out.write(lineOf(item));
      await out.ready();
    }
    return 0;
  },
};

/** What follows --verify is the hash, unless it is the only argument and looks like an ID. */
export function identify({ positionals, options, after }: Arguments): { id?: string; hash?: string } {
  const written = options.get('verify')?.[0];
  const following = written === undefined ? undefined : after.get('verify');
  const isHash = following !== undefined && (positionals.length > 1 || /^[0-9a-f]{64}$/.test(following));
  const hash = written === undefined || written === '' ? (isHash ? following : undefined) : written;
  const ids = isHash ? positionals.filter((_, index) => index !== positionals.indexOf(following)) : positionals;
  const [id, extra] = ids;
  if (extra !== undefined) throw new UsageError(`There is an argument too many: ${JSON.stringify(oneLine(extra))}.`);
  if (hash !== undefined && !/^[0-9a-f]{64}$/.test(hash)) {
    throw new UsageError(
      `${JSON.stringify(oneLine(hash))} is no hash: 64 digits of 0-9 and a-f, as the end of a run prints it.`,
    );
  }
  return { ...(id === undefined ? {} : { id }), ...(hash === undefined ? {} : { hash }) };
}

function requestNumber(value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new UsageError(`--request must be the number of a request, from 1, not ${JSON.stringify(oneLine(value))}.`);
}

function linesFor(out: Writer): (item: Item) => string {
  const lines = new EventLines(styleOf(out));
  return (item) => `${lines.line(item)}\n`;
}

function itemJson(item: Item): string {
  return jsonLine('damage' in item ? { type: 'damage', ...item } : { type: 'event', ...eventFields(item) });
}

/** Exact bytes to a file or a pipe; on a terminal the same JSON with what it could obey as escapes. */
async function writeRequest(reader: SessionReader, number: number, out: Writer): Promise<number> {
  const bytes = await reader.request(number);
  out.write(out.isTerminal ? `${printableJson(Buffer.from(bytes).toString('utf8'))}\n` : bytes);
  return 0;
}

async function showCache(reader: SessionReader, isJson: boolean, out: Writer): Promise<number> {
  const { cacheReport } = await import('../../../harness/index.ts');
  const report = await cacheReport(reader.items());
  out.write(isJson ? jsonLine(report) : `${cacheLines(report, styleOf(out)).join('\n')}\n`);
  return 0;
}

async function verify(reader: SessionReader, hash: string | undefined, isJson: boolean, out: Writer): Promise<number> {
  const found = await reader.verify(hash);
  const isWhole = found.problems.length === 0 && found.given !== null;
  if (isJson) out.write(jsonLine(found));
  else out.write(`${verificationLines(found).join('\n')}\n`);
  return isWhole ? 0 : 1;
}

/** What is wrong and where, and what the log was held against. */
export function verificationLines({ problems, given, head, lines }: Verification): string[] {
  const wrong = problems.map(({ line, what }) => `line ${line}: ${oneLine(what)}`);
  if (given === null) wrong.push('no line has the given hash: the log was cut or written anew, or it is another log');
  const held =
    given === undefined || given === null
      ? []
      : [`the given hash is that of line ${given.line}; ${plural(given.after, 'line')} came after it`];
  const verdict = wrong.length === 0 ? 'nothing is wrong' : plural(wrong.length, 'fault');
  return [...wrong, ...held, `${plural(lines, 'line')}, ${verdict}; the last line has the hash ${head ?? '(none)'}`];
}

async function follow(
  reader: SessionReader,
  lineOf: (item: Item) => string,
  out: Writer,
  err: Writer,
): Promise<number> {
  const stop = new AbortController();
  let exit = 0;
  const interrupted = (signal: NodeJS.Signals): void => {
    exit = signal === 'SIGINT' ? 130 : 143;
    stop.abort();
  };
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
  if (out.isTerminal) err.write(`following ${reader.id}; Ctrl-C ends\n`);
  const signal = AbortSignal.any([stop.signal, out.gone]);
  for await (const item of reader.follow(signal)) {
    if (signal.aborted) break;
    out.write(lineOf(item));
    await out.ready();
  }
  return exit;
}
