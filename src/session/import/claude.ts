/** Sessions of Claude Code: lines with uuid and parentUuid; a reply comes in several lines, its results hang on the lines of their calls. */
import type { JsonObject, ReplyPart } from '../../core/index.ts';
import { blocksOf, blockText, contentText } from './content.ts';
import { callPart, textPart, thinkingPart, timeOf, type History } from './history.ts';
import { objectAt, objectsAt, textAt } from './lines.ts';
import { pathTo, type Entry } from './tree.ts';

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

export function readClaude(lines: readonly JsonObject[], history: History): void {
  const entries = new Map<string, Entry>();
  for (const line of lines) {
    const id = textAt(line, 'uuid');
    const parent = textAt(line, 'parentUuid') ?? textAt(line, 'logicalParentUuid');
    if (id !== undefined && !entries.has(id)) entries.set(id, { id, parent });
  }
  const isSpoken = (line: JsonObject): boolean => ['user', 'assistant'].includes(textAt(line, 'type') ?? '');
  const leaf = lines.findLast((line) => isSpoken(line) && line['isSidechain'] !== true);
  const path = pathTo(entries, leaf && textAt(leaf, 'uuid'));
  const belongs = belonging(lines, path);
  const seen = new Set<string>();
  for (const line of lines) {
    const [type, id] = [textAt(line, 'type') ?? 'without a type', textAt(line, 'uuid')];
    takeOrigin(line, history);
    if (!isSpoken(line)) {
      if (!silent.has(type)) history.leaveOut(`lines of type ${type}`);
    } else if (line['isSidechain'] === true) history.leaveOut('messages of sub-agents');
    else if (!belongs(line)) history.leaveOut('messages of other branches');
    // A session that was gone on with can hold its earlier lines once more.
    else if (id !== undefined && seen.has(id)) history.leaveOut('lines for a second time');
    else takeMessage(line, history);
    if (id !== undefined) seen.add(id);
  }
}

/** Calls of one reply are lines below each other, so that a result of the first isn't above what comes after the last. */
function belonging(lines: readonly JsonObject[], path: ReadonlySet<string>): (line: JsonObject) => boolean {
  const onPath = (line: JsonObject): boolean => path.has(textAt(line, 'uuid') ?? '');
  const replies = new Set<string>();
  for (const line of lines) {
    const id = textAt(objectAt(line, 'message'), 'id');
    if (id !== undefined && onPath(line)) replies.add(id);
  }
  const ofReply = (line: JsonObject): boolean => replies.has(textAt(objectAt(line, 'message'), 'id') ?? '');
  const calls = new Set<string>();
  for (const line of lines) {
    if (!onPath(line) && !ofReply(line)) continue;
    for (const { type, id } of objectsAt(objectAt(line, 'message'), 'content'))
      if (type === 'tool_use' && typeof id === 'string') calls.add(id);
  }
  const answers = (line: JsonObject): boolean =>
    objectsAt(objectAt(line, 'message'), 'content').some(
      ({ type, tool_use_id: id }) => type === 'tool_result' && typeof id === 'string' && calls.has(id),
    );
  return (line) => onPath(line) || ofReply(line) || answers(line);
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
