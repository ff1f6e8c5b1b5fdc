/** What each kind of event says of itself in one line, as far as it needs no event before it. */
import { grouped, plural, type Event, type EventData } from '../../../harness/index.ts';
import { oneLine } from '../printable.ts';
import { clockTime, dollars, duration, tokens } from './amounts.ts';
import { compactionText, instructionsText } from './request-text.ts';

type Essences = { readonly [K in keyof EventData]?: (data: EventData[K], at: number) => string };

/** More of a text than any line shows is not even looked at. */
export const brief = (text: string): string => oneLine(text.slice(0, 1000));

const essences: Essences = {
  session: sessionEssence,
  setup: setupEssence,
  input: ({ from, code, text }) => `${from}${code === undefined ? '' : ` (${code})`}: ${brief(text)}`,
  'follow-up': ({ input }) => `${input} is said now`,
  cancel: ({ by, signal }) => oneLine(`by ${by}${signal === undefined ? '' : ` (${signal})`}`),
  failure: failureEssence,
  ask: ({ question, plan }) => oneLine(plan === undefined ? question : `${question} ${brief(plan.text)}`),
  answer: answerEssence,
  review: ({ ask, source, bytes }) => oneLine(`${ask} to ${source.provider}/${source.model}, ${grouped(bytes)} bytes`),
  'review-end': reviewEssence,
  child: ({ session, task }) => oneLine(`session ${session}${task === undefined ? '' : `: ${task}`}`),
  'child-end': ({ session, outcome, cost }) =>
    oneLine(`session ${session}: ${outcome ?? 'ended'}${cost === undefined ? '' : `, ${dollars(cost)}`}`),
  aside: asideEssence,
  'aside-end': asideEndEssence,
  instructions: instructionsText,
  connection: connectionEssence,
  evidence: evidenceEssence,
  'own-checks': ownChecksEssence,
  judgement: ({ ruling, reason }) => oneLine(`${ruling ?? 'no ruling'}: ${reason}`),
  compaction: compactionText,
  checkpoint: checkpointEssence,
  job: jobEssence,
  'job-end': (data) => oneLine(`${data.id} ${data.how}${exitText(data)}`),
  undo: undoEssence,
  title: ({ text, by }) => oneLine(text === '' ? `none any more, by ${by}` : `${brief(text)}, by ${by}`),
  head: ({ why, from, branch }) => oneLine(`${why} from ${from}${branch === undefined ? '' : `, branch ${branch}`}`),
  notice: ({ level, code, text }) => oneLine(`${level} ${code}: ${text}`),
  stop: stopEssence,
};

export function essenceOf(event: Event): string {
  const essence = essences[event.kind] as ((data: unknown, at: number) => string) | undefined;
  const text = essence?.(event.data, event.at) ?? brief(JSON.stringify(event.data));
  return event.kind === 'ask' ? `${event.id}: ${text}` : text;
}

function sessionEssence(data: EventData['session']): string {
  const parent = data.parent === undefined ? '' : `, from session ${data.parent.session}`;
  return oneLine(`Reins ${data.reins}, format ${data.format}, in ${data.workspace}${parent}`);
}

function setupEssence(data: EventData['setup']): string {
  const checks =
    data.checks === 'waived'
      ? 'checks waived'
      : data.checks.length === 0
        ? 'no checks'
        : `checks: ${data.checks.map(({ command }) => command).join(' and ')}`;
  const tools = data.tools.map(({ name }) => name).join(' ');
  const switched = data.switched === undefined ? '' : ` instead of ${data.switched.from} (by ${data.switched.by})`;
  const profile = data.runProfile === undefined ? '' : `, profile ${data.runProfile.name}`;
  return oneLine(`${data.provider}/${data.model}${switched}${profile}, mode ${data.mode}, ${checks}, tools: ${tools}`);
}

function failureEssence(data: EventData['failure'], at: number): string {
  const next = data.retryAt === undefined ? 'no further try' : `next try in ${duration(data.retryAt - at)}`;
  const status = data.status === undefined ? '' : ` (HTTP ${data.status})`;
  return `${data.code}${status}: ${oneLine(data.message)}; ${next}`;
}

function answerEssence(data: EventData['answer']): string {
  const scope = data.scope === 'always' ? ', always' : '';
  const reason = data.reason === undefined ? '' : `: ${data.reason}`;
  const edited = data.arguments === undefined ? '' : `, as ${JSON.stringify(data.arguments)}`;
  const mode = data.mode === undefined ? '' : `, mode ${data.mode}`;
  return oneLine(`${data.decision}${scope}${mode}${edited} by ${data.by} to ${data.ask}${reason}`);
}

function reviewEssence(data: EventData['review-end']): string {
  const used = data.usage === undefined ? 'tokens not reported' : tokens(data.usage);
  const cost = data.cost === undefined ? '' : `, ${dollars(data.cost)}`;
  const said =
    data.decision === undefined ? `no answer: ${data.failed ?? ''}` : `${data.decision}: ${data.reason ?? ''}`;
  return oneLine(`${duration(data.elapsed)}, ${used}${cost} · ${said}`);
}

function asideEssence({ purpose, source, bytes }: EventData['aside']): string {
  return oneLine(`${purpose} by ${source.provider}/${source.model}, ${grouped(bytes)} bytes`);
}

function asideEndEssence(data: EventData['aside-end']): string {
  const used = data.usage === undefined ? 'tokens not reported' : tokens(data.usage);
  const cost = data.cost === undefined ? '' : `, ${dollars(data.cost)}`;
  const said = data.failed === undefined ? brief(data.text ?? '') : `no answer: ${oneLine(data.failed)}`;
  return `${duration(data.elapsed)}, ${used}${cost} · ${said}`;
}

function evidenceEssence(data: EventData['evidence']): string {
  const exit = data.exit === null ? '' : `, exit ${data.exit}`;
  const changed = data.definersChanged === undefined ? '' : `, changed in this run: ${data.definersChanged.join(', ')}`;
  const output = data.passed ? '' : ` · ${data.output.text.slice(-1000)}`;
  const kind = `${data.advisory === true ? ', advisory' : ''}${data.early === true ? ', after an edit' : ''}`;
  return oneLine(`${data.outcome}${exit}${kind}, ${duration(data.elapsed)}: ${data.command}${changed}${output}`);
}

function ownChecksEssence({ proves, commands, why }: EventData['own-checks']): string {
  const ran = commands.map(({ command }) => command).join(' and ');
  return oneLine(proves ? `proven by ${ran}` : `not proven: ${why}`);
}

function checkpointEssence(data: EventData['checkpoint']): string {
  if (data.incomplete !== undefined) return oneLine(`incomplete: ${data.incomplete}`);
  const commit = data.commit === null ? 'no commit' : `commit ${data.commit.slice(0, 12)}`;
  const changed = data.changed === undefined ? '' : `, changed since the last: ${data.changed.join(', ') || 'nothing'}`;
  return oneLine(
    `${commit}, ${plural(Object.keys(data.files).length, 'file')} beside it${changed}${data.afterCheck === true ? ', after a check' : ''}`,
  );
}

function stopEssence(data: EventData['stop']): string {
  const code = data.code === undefined ? '' : ` (${data.code})`;
  const answer = data.answer === undefined ? '' : ` · ${data.answer}`;
  return oneLine(`${data.reason}${code}: ${data.detail}${answer}`);
}

function connectionEssence({ host, port, allowed, reason }: EventData['connection']): string {
  return brief(`${allowed ? 'to' : 'refused to'} ${host}:${port}: ${reason}`);
}

function jobEssence({ id, command, kept, until }: EventData['job']): string {
  const lifetime = until === undefined ? '' : `, until ${clockTime(until)}`;
  return `${oneLine(id)}${kept ? ' (kept)' : ''}${lifetime}: ${brief(command)}`;
}

function exitText({ exit, signal }: EventData['job-end']): string {
  if (exit !== null) return `, exit ${exit}`;
  return signal === undefined ? '' : `, ${signal}`;
}

function undoEssence({ calls, undone, changes, kept }: EventData['undo']): string {
  const what = undone === undefined ? `took back ${plural(calls.length, 'call')}` : `took back the undo ${undone}`;
  const left = kept.length === 0 ? '' : `, left ${kept.length} as they are`;
  return oneLine(`${what}: ${plural(changes.length, 'path')} changed${left}`);
}
