/** Sessions of Claude Code: lines with uuid and parentUuid; a reply comes in several lines, its results hang on the lines of their calls. */
import type { JsonObject, ReplyPart } from '../../core/index.ts';
import { blocksOf, blockText, contentText } from './content.ts';
import { callPart, History, textPart, thinkingPart, timeOf } from './history.ts';
import { objectAt, objectsAt, textAt } from './lines.ts';
import { otherBranches, pathTo, type Entry } from './tree.ts';

/** Lines that say nothing of the conversation. */
const silent = new Set([
  'summary',
  'file-history-snapshot',
  'queue-operation',
  'last-prompt',
  'custom-title',
  'ai-title',
]);

export function isClaude(lines: readonly JsonObject[]): boolean {
  return lines.some(
    ({ type, sessionId, uuid }) =>
      typeof type === 'string' && typeof sessionId === 'string' && typeof uuid === 'string',
  );
}

/** The conversation that goes on first, then those that were left. */
export function readClaude(lines: readonly JsonObject[]): History[] {
  const entries = new Map<string, Entry>();
  for (const line of lines) {
    const id = textAt(line, 'uuid');
    const parent = textAt(line, 'parentUuid') ?? textAt(line, 'logicalParentUuid');
    if (id !== undefined && !entries.has(id)) entries.set(id, { id, parent });
  }
  const spoken = lines.filter((line) => isSpoken(line) && line['isSidechain'] !== true);
  const ids = spoken.flatMap((line) => textAt(line, 'uuid') ?? []);
  const branchOf = (leaf: string | undefined) => belonging(spoken, pathTo(entries, leaf));
  const first = branchOf(ids.at(-1));
  const { branches, left } = otherBranches(ids, first, branchOf);
  const histories = [first, ...branches].map((branch) => conversation(spoken, branch));
  const [main] = histories;
  if (main !== undefined) tellOf(lines, main, left);
  return histories;
}

function isSpoken({ type }: JsonObject): boolean {
  return type === 'user' || type === 'assistant';
}

function conversation(spoken: readonly JsonObject[], branch: ReadonlySet<string>): History {
  const history = new History();
  const seen = new Set<string>();
  for (const line of spoken) {
    const id = textAt(line, 'uuid') ?? '';
    // A session that was gone on with can hold its earlier lines once more.
    if (!branch.has(id) || seen.has(id)) continue;
    seen.add(id);
    takeMessage(line, history);
  }
  return history;
}

/** Where it came from, and what isn't taken over. */
function tellOf(lines: readonly JsonObject[], history: History, left: number): void {
  for (const line of lines) {
    const type = textAt(line, 'type') ?? 'without a type';
    takeOrigin(line, history);
    if (!isSpoken(line) && !silent.has(type)) history.leaveOut(`lines of type ${type}`);
    else if (isSpoken(line) && line['isSidechain'] === true) history.leaveOut('messages of sub-agents');
  }
  for (let each = 0; each < left; each += 1) history.leaveOut('messages of other branches');
}

/** Calls of one reply are lines below each other, so that a result of the first isn't above what comes after the last. */
function belonging(lines: readonly JsonObject[], path: ReadonlySet<string>): Set<string> {
  const idOf = (line: JsonObject): string => textAt(line, 'uuid') ?? '';
  const replyOf = (line: JsonObject): string => textAt(objectAt(line, 'message'), 'id') ?? '';
  const blocksIn = (line: JsonObject): JsonObject[] => objectsAt(objectAt(line, 'message'), 'content');
  const replies = new Set(lines.filter((line) => path.has(idOf(line))).map(replyOf));
  replies.delete('');
  const own = lines.filter((line) => path.has(idOf(line)) || replies.has(replyOf(line)));
  const calls = new Set(
    own.flatMap(blocksIn).flatMap(({ type, id }) => (type === 'tool_use' && typeof id === 'string' ? [id] : [])),
  );
  const answers = lines.filter((line) =>
    blocksIn(line).some(
      ({ type, tool_use_id: id }) => type === 'tool_result' && typeof id === 'string' && calls.has(id),
    ),
  );
  return new Set([...own, ...answers].map(idOf));
}

function takeOrigin(line: JsonObject, { origin }: History): void {
  const [session, version, workspace] = [textAt(line, 'sessionId'), textAt(line, 'version'), textAt(line, 'cwd')];
  if (session !== undefined) origin.session ??= session;
  if (version !== undefined) origin.version ??= version;
  if (workspace !== undefined) origin.workspace ??= workspace;
}

function takeMessage(line: JsonObject, history: History): void {
  const message = objectAt(line, 'message');
  const at = timeOf(textAt(line, 'timestamp'));
  if (line['type'] === 'assistant') {
    const source = { provider: 'claude', wire: 'anthropic', model: textAt(message, 'model') ?? 'unknown' };
    const parts = blocksOf(message['content']).flatMap((block) => partOf(block, history));
    history.reply(at, source, parts, textAt(message, 'id'));
    return;
  }
  const isOwn = line['isMeta'] === true || line['isCompactSummary'] === true;
  for (const block of blocksOf(message['content'])) {
    const { type, tool_use_id: id } = block;
    if (type === 'tool_result' && typeof id === 'string')
      history.result(at, id, contentText(block['content']), block['is_error'] === true);
    else history.said(at, isOwn ? 'harness' : 'person', blockText(block));
  }
}

function partOf(block: JsonObject, history: History): ReplyPart[] {
  switch (block['type']) {
    case 'text':
      return textPart(textAt(block, 'text') ?? '');
    case 'thinking':
      return thinkingPart(textAt(block, 'thinking') ?? '');
    case 'tool_use':
      return [callPart(textAt(block, 'id') ?? '', textAt(block, 'name') ?? '', objectAt(block, 'input'))];
    case 'redacted_thinking':
      history.leaveOut('sealed blocks');
      return [];
    default:
      return textPart(JSON.stringify(block));
  }
}
