/** An audit as CSV (RFC 4180): a row for each entry, and one more for each further file that it changed. */
import type { AuditEntry, CallEntry, SessionAudit } from '../../../harness/index.ts';
import { printable } from '../printable.ts';

const columns = [
  'type',
  'id',
  'time',
  'turn',
  'tool',
  'what',
  'arguments',
  'changedBy',
  'effects',
  'hosts',
  'decision',
  'by',
  'reason',
  'part',
  'question',
  'answer',
  'answeredBy',
  'answeredAt',
  'scope',
  'answerReason',
  'granted',
  'outcome',
  'exit',
  'path',
  'before',
  'after',
  'changesUnknown',
  'connections',
  'jobs',
  'notices',
  'undoneBy',
] as const;

type Cells = { [Column in (typeof columns)[number]]?: string | number | null | undefined };

/** The whole table; each line ends with CRLF, the first names the columns. */
export function auditTable({ entries }: Pick<SessionAudit, 'entries'>): string {
  const rows = [
    columns.join(','),
    ...entries.flatMap(rowsOf).map((cells) => columns.map((name) => cellOf(cells[name])).join(',')),
  ];
  return rows.map((row) => `${row}\r\n`).join('');
}

/**
 * A spreadsheet takes what begins so for a formula and runs it: a quote before it makes it a text. Blanks before the sign don't help,
 * nor does its wide form, which some take for the plain one
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;

export function cellOf(value: string | number | null | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = printable(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const time = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();

function rowsOf(entry: AuditEntry): Cells[] {
  const cells: Cells = { type: entry.type, id: entry.id, time: time(entry.at) };
  switch (entry.type) {
    case 'run':
      return [{ ...cells, what: entry.model, by: `mode:${entry.mode}` }];
    case 'check':
      return [{ ...cells, what: entry.command, outcome: entry.outcome, exit: entry.exit }];
    case 'cancel':
      return [{ ...cells, by: entry.by, reason: entry.signal }];
    case 'connection':
      return [
        {
          ...cells,
          hosts: `${entry.host}:${entry.port}`,
          decision: entry.allowed ? 'allow' : 'deny',
          reason: entry.reason,
        },
      ];
    case 'undo':
      return perChange({ ...cells, what: entry.calls.join(' ') }, entry.changes);
    default:
      return perChange({ ...cells, ...callCells(entry) }, entry.changes);
  }
}

function perChange(cells: Cells, changes: CallEntry['changes']): Cells[] {
  if (changes.length === 0) return [cells];
  return changes.map(({ path, before, after }) => ({ ...cells, path, before, after }));
}

/** Of several verdicts the last holds, of several questions the last decided. */
function callCells(call: CallEntry): Cells {
  const verdict = call.verdicts.at(-1);
  const asked = call.questions.at(-1);
  const answer = asked?.answer;
  return {
    turn: call.turn,
    tool: call.tool,
    what: call.what,
    arguments: JSON.stringify(call.arguments),
    changedBy: call.changedBy?.join(' '),
    effects: call.effects?.join(' '),
    hosts: call.hosts?.join(' '),
    decision: verdict?.decision,
    by: verdict?.by,
    reason: verdict?.reason,
    part: verdict?.part,
    question: asked?.question,
    answer: answer?.decision,
    answeredBy: answer?.by,
    answeredAt: time(answer?.at),
    scope: answer?.scope,
    answerReason: answer?.reason,
    granted: call.grants.map(({ shape }) => shape).join('\n'),
    outcome: call.outcome,
    exit: call.exit,
    changesUnknown: call.changesUnknown,
    connections: call.connections
      .map(({ host, port, allowed }) => `${allowed ? '' : 'refused '}${host}:${port}`)
      .join('\n'),
    jobs: call.jobs.map(({ id, end }) => `${id} ${end?.how ?? 'no end'}`).join('\n'),
    notices: call.notices.map(({ code }) => code).join(' '),
    undoneBy: call.undoneBy,
  };
}
