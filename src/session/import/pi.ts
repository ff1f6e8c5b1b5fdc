/** Sessions of pi, version 3: entries with id and parentId; the last one is where the session stands. */
import type { JsonObject, ReplyPart, Source } from '../../core/index.ts';
import { blocksOf, contentText } from './content.ts';
import { callPart, History, textPart, thinkingPart, timeOf } from './history.ts';
import { objectAt, textAt } from './lines.ts';
import { otherBranches, pathTo, type Entry } from './tree.ts';

/** Entries that say nothing of the conversation. */
const silent = new Set(['session', 'model_change', 'thinking_level_change', 'label', 'session_info']);

export function isPi([first = {}]: readonly JsonObject[]): boolean {
  return first['type'] === 'session' && typeof first['version'] === 'number';
}

/** The conversation that goes on first, then those that were left. */
export function readPi(lines: readonly JsonObject[]): History[] {
  const entries = new Map<string, Entry>();
  for (const line of lines) {
    const id = textAt(line, 'id');
    if (id !== undefined && line['type'] !== 'session') entries.set(id, { id, parent: textAt(line, 'parentId') });
  }
  const ids = [...entries.keys()];
  const branchOf = (leaf: string | undefined) => pathTo(entries, leaf);
  const first = branchOf(ids.at(-1));
  const { branches, left } = otherBranches(ids, first, branchOf);
  const histories = [first, ...branches].map((branch) => conversation(lines, branch));
  const [main] = histories;
  for (const line of lines) if (main !== undefined && line['type'] === 'session') takeOrigin(line, main);
  for (let each = 0; each < left; each += 1) main?.leaveOut('entries of other branches');
  return histories;
}

function conversation(lines: readonly JsonObject[], branch: ReadonlySet<string>): History {
  const history = new History();
  for (const line of lines) {
    const type = textAt(line, 'type') ?? 'without a type';
    if (silent.has(type) || !branch.has(textAt(line, 'id') ?? '')) continue;
    const at = timeOf(textAt(line, 'timestamp'));
    if (type === 'message') takeMessage(objectAt(line, 'message'), at, history);
    else if (type === 'compaction' || type === 'branch_summary')
      history.said(at, 'harness', textAt(line, 'summary') ?? '');
    else if (type === 'custom_message') history.said(at, 'harness', contentText(line['content']));
    else history.leaveOut(`entries of type ${type}`);
  }
  return history;
}

function takeOrigin(line: JsonObject, { origin }: History): void {
  const [session, workspace] = [textAt(line, 'id'), textAt(line, 'cwd')];
  if (session !== undefined) origin.session ??= session;
  if (workspace !== undefined) origin.workspace ??= workspace;
  if (typeof line['version'] === 'number') origin.version ??= String(line['version']);
}

const wires: { readonly [api: string]: string } = {
  'anthropic-messages': 'anthropic',
  'openai-responses': 'openai-responses',
  'openai-completions': 'openai-chat',
  'google-generative-ai': 'gemini',
};

function takeMessage(message: JsonObject, at: number | undefined, history: History): void {
  const content = message['content'];
  switch (message['role']) {
    case 'user':
      return history.said(at, 'person', contentText(content));
    case 'assistant':
      // Each is a reply of its own, whatever stands between them.
      return history.reply(at, sourceOf(message), blocksOf(content).flatMap(partOf), `${history.items.length}`);
    case 'toolResult':
      return history.result(at, textAt(message, 'toolCallId') ?? '', contentText(content), message['isError'] === true);
    case 'bashExecution': {
      const [command = '', output = ''] = [textAt(message, 'command'), textAt(message, 'output')];
      return history.said(at, 'person', `I ran \`${command}\`:\n${output}`);
    }
    default:
      return history.said(at, 'harness', contentText(content) || textAt(message, 'summary') || JSON.stringify(message));
  }
}

function sourceOf(message: JsonObject): Source {
  const api = textAt(message, 'api') ?? '';
  return { provider: 'pi', wire: wires[api] ?? 'unknown', model: textAt(message, 'model') ?? 'unknown' };
}

function partOf(block: JsonObject): ReplyPart[] {
  switch (block['type']) {
    case 'text':
      return textPart(textAt(block, 'text') ?? '');
    case 'thinking':
      return thinkingPart(textAt(block, 'thinking') ?? '');
    case 'toolCall':
      return [callPart(textAt(block, 'id') ?? '', textAt(block, 'name') ?? '', objectAt(block, 'arguments'))];
    default:
      return textPart(JSON.stringify(block));
  }
}
