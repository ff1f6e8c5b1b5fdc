/** An audit for people: the proof of the log first, then each thing that was done with who let it through and what came of it. */
import { plural, type AuditEntry, type CallEntry, type SessionAudit } from '../../../harness/index.ts';
import { clip, oneLine, pad } from '../printable.ts';
import { clockTime, duration, type Style } from '../render/index.ts';

/** Characters of a hash; `--json` and `--csv` have all of it. */
const hashShown = 12;
const changesShown = 50;
/** More of a text than any line shows is not even looked at. */
const brief = (text: string): string => oneLine(text.slice(0, 2000));

export function auditLines({ session, verification, damaged, entries }: SessionAudit, style: Style): string[] {
  const cut = (line: string): string => clip(line, style.width);
  return [
    ...chainLines(verification, damaged).map((line) =>
      verification.problems.length > 0 ? style.bad(cut(line)) : cut(line),
    ),
    cut(`session ${oneLine(session)}: ${plural(entries.length, 'entry', 'entries')}`),
    ...entries.flatMap((entry) => entryLines(entry, style).map(([line, paint]) => paint(cut(line)))),
  ];
}

/** What was found of the log itself; a fault is told before anything else. */
export function chainLines({ problems, lines, head }: SessionAudit['verification'], damaged: number): string[] {
  if (problems.length === 0)
    return [`the chain holds: ${plural(lines, 'line')}, the last has the hash ${head ?? '(none)'}`];
  const missing = damaged === 0 ? '' : ` ${plural(damaged, 'line')} can’t be read and are missing below.`;
  return [
    `THE LOG IS NOT WHOLE: ${plural(problems.length, 'fault')}. What follows is what can still be read.${missing}`,
    ...problems.map(({ line, what }) => `  line ${line}: ${oneLine(what)}`),
  ];
}

type Line = [text: string, paint: (text: string) => string];

function entryLines(entry: AuditEntry, style: Style): Line[] {
  const same = (text: string): string => text;
  const lead = (kind: string, text: string): Line => [`${clockTime(entry.at)} ${pad(kind, 10)} ${text}`, style.bold];
  switch (entry.type) {
    case 'run':
      return [lead('run', oneLine(`mode ${entry.mode}, ${entry.model}`))];
    case 'check':
      return [lead('check', `${brief(entry.command)}: ${entry.outcome}${exitText(entry.exit)}`)];
    case 'cancel':
      return [lead('cancel', oneLine(`by ${entry.by}${entry.signal === undefined ? '' : ` (${entry.signal})`}`))];
    case 'connection':
      return [[lead('connection', connectionText(entry))[0], entry.allowed ? same : style.warn]];
    case 'undo': {
      const what = entry.undone === undefined ? 'took back' : 'brought back';
      const kept = entry.kept.map(({ path, why }): Line => [
        indented('left', `${oneLine(path)} (${oneLine(why)})`),
        same,
      ]);
      return [lead('undo', `${what} ${plural(entry.calls.length, 'call')}`), ...changeLines(entry.changes), ...kept];
    }
    default:
      return [
        lead(entry.turn === undefined ? 'call' : `turn ${entry.turn}`, callText(entry)),
        ...callLines(entry, style),
      ];
  }
}

const indented = (what: string, text: string): string => `    ${pad(what, 11)} ${text}`;

const callText = ({ tool, what }: CallEntry): string => `${oneLine(tool)}  ${brief(what)}`.trimEnd();

function callLines(call: CallEntry, style: Style): Line[] {
  const same = (text: string): string => text;
  const line = (what: string, text: string, paint = same): Line => [indented(what, text), paint];
  const {
    changedBy,
    effects = [],
    hosts = [],
    verdicts,
    questions,
    grants,
    connections,
    jobs,
    notices,
    undoneBy,
  } = call;
  const does = [...effects, ...(hosts.length === 0 ? [] : [`hosts ${hosts.join(', ')}`])].join(', ');
  return [
    ...(changedBy === undefined
      ? []
      : [line('changed by', oneLine(`${changedBy.join(', ')}: ${JSON.stringify(call.arguments)}`))]),
    ...(does === '' ? [] : [line('does', oneLine(does))]),
    ...verdicts.map(({ decision, by, reason, part }) => {
      const of = part === undefined ? '' : ` in “${brief(part)}”`;
      return line(decision, `${oneLine(by)}${of}: ${brief(reason)}`, decision === 'deny' ? style.warn : same);
    }),
    ...questions.flatMap(({ question, answer }) => [
      line('asked', brief(question)),
      ...(answer === undefined
        ? []
        : [line('answered', answerText(answer), answer.decision === 'no' ? style.warn : same)]),
    ]),
    ...grants.map(({ shape, by }) => line('granted', `${brief(shape)} (by ${oneLine(by)})`)),
    line('outcome', outcomeText(call)),
    ...changeLines(call.changes),
    ...(call.changesUnknown === undefined
      ? []
      : [line('changes', `not all known: ${brief(call.changesUnknown)}`, style.warn)]),
    ...connections.map((each) => line('connection', connectionText(each), each.allowed ? same : style.warn)),
    ...jobs.map((job) => line('job', jobText(job))),
    ...notices.map(({ code, text }) => line('notice', `${oneLine(code)}: ${brief(text)}`, style.warn)),
    ...(undoneBy === undefined ? [] : [line('taken back', `by the undo ${oneLine(undoneBy)}`)]),
  ];
}

function answerText(answer: NonNullable<CallEntry['questions'][number]['answer']>): string {
  const { at, by, decision, scope, reason, arguments: edited } = answer;
  const why = reason === undefined || reason === '' ? '' : `: ${reason}`;
  const other = edited === undefined ? '' : `, as ${JSON.stringify(edited)}`;
  return brief(`${decision} by ${by}, ${scope}, at ${clockTime(at)}${why}${other}`);
}

function outcomeText({ startedAt, endedAt, outcome, exit }: CallEntry): string {
  if (outcome === undefined) return startedAt === undefined ? 'not run, no result' : 'started, no result';
  const took =
    startedAt === undefined || endedAt === undefined ? ', not started' : ` after ${duration(endedAt - startedAt)}`;
  return `${outcome}${exitText(exit)}${took}`;
}

function exitText(exit: number | null | undefined): string {
  return exit === undefined || exit === null ? '' : `, exit ${exit}`;
}

function changeLines(changes: CallEntry['changes']): Line[] {
  const short = (hash: string | null): string => (hash === null ? 'nothing' : hash.slice(0, hashShown));
  const lines = changes.slice(0, changesShown).map(({ path, before, after }): Line => {
    return [indented('changed', `${oneLine(path)}  ${short(before)} -> ${short(after)}`), (text) => text];
  });
  const more = changes.length - changesShown;
  return more > 0 ? [...lines, [indented('', `and ${plural(more, 'more file')}`), (text) => text]] : lines;
}

function connectionText(connection: CallEntry['connections'][number]): string {
  const { host, port, allowed, reason, sent, received } = connection;
  const bytes = sent === undefined && received === undefined ? '' : `, ${sent ?? 0} bytes out, ${received ?? 0} in`;
  return brief(`${allowed ? 'to' : 'refused to'} ${host}:${port} (${reason})${bytes}`);
}

function jobText({ id, command, kept, end }: CallEntry['jobs'][number]): string {
  const how =
    end === undefined
      ? 'no end in the log'
      : `${end.how}${exitText(end.exit)}${end.signal === undefined ? '' : `, ${end.signal}`}`;
  return brief(`${id}${kept ? ' (kept)' : ''}, ${how}: ${command}`);
}
