/** Sessions of Codex: one item of the conversation a line; events beside it say the same once more. */
import type { JsonObject, ReplyPart } from '../../core/index.ts';
import { contentText } from './content.ts';
import { callPart, History, textPart, thinkingPart, timeOf } from './history.ts';
import { objectAt, objectsAt, textAt } from './lines.ts';

export function isCodex(lines: readonly JsonObject[]): boolean {
  return lines.some(
    ({ type, payload }) => (type === 'session_meta' || type === 'response_item') && payload !== undefined,
  );
}

/** What Codex itself tells the model in the voice of the user. */
const ownWords = /^<(?:environment_context|user_instructions|turn_aborted|skill)>/;

export function readCodex(lines: readonly JsonObject[]): History[] {
  const history = new History();
  let model = 'unknown';
  for (const line of lines) {
    const payload = objectAt(line, 'payload');
    switch (line['type']) {
      case 'session_meta':
        takeOrigin(payload, history);
        break;
      case 'turn_context':
        model = textAt(payload, 'model') ?? model;
        break;
      case 'response_item':
        takeItem(payload, timeOf(textAt(line, 'timestamp')), model, history);
        break;
      case 'compacted':
        history.said(timeOf(textAt(line, 'timestamp')), 'harness', textAt(payload, 'message') ?? '');
        break;
      case 'event_msg':
        break;
      default:
        history.leaveOut(`lines of type ${textAt(line, 'type') ?? 'without a type'}`);
    }
  }
  return [history];
}

function takeOrigin(meta: JsonObject, { origin }: History): void {
  const [session, version, workspace] = [textAt(meta, 'id'), textAt(meta, 'cli_version'), textAt(meta, 'cwd')];
  if (session !== undefined) origin.session ??= session;
  if (version !== undefined) origin.version ??= version;
  if (workspace !== undefined) origin.workspace ??= workspace;
}

function takeItem(item: JsonObject, at: number | undefined, model: string, history: History): void {
  const say = (parts: ReplyPart[]) => history.reply(at, { provider: 'codex', wire: 'openai-responses', model }, parts);
  const type = textAt(item, 'type') ?? '';
  const id = textAt(item, 'call_id') ?? '';
  switch (type) {
    case 'message':
      return takeMessage(item, at, say, history);
    case 'reasoning':
      return say(thinkingPart([...objectsAt(item, 'summary'), ...objectsAt(item, 'content')].map(textOf).join('\n\n')));
    case 'function_call':
      return say([callPart(id, textAt(item, 'name') ?? '', textAt(item, 'arguments') ?? '{}')]);
    case 'custom_tool_call':
      return say([callPart(id, textAt(item, 'name') ?? '', { input: textAt(item, 'input') ?? '' })]);
    case 'local_shell_call':
      return say([callPart(id, 'local_shell', objectAt(item, 'action'))]);
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return history.result(at, id, outputOf(item), false);
    default:
      return say(textPart(JSON.stringify(item)));
  }
}

function textOf(block: JsonObject): string {
  return textAt(block, 'text') ?? '';
}

function takeMessage(
  item: JsonObject,
  at: number | undefined,
  say: (parts: ReplyPart[]) => void,
  history: History,
): void {
  const text = contentText(item['content']);
  const role = textAt(item, 'role');
  if (role === 'assistant') say(textPart(text));
  else if (role !== 'user' || ownWords.test(text)) history.leaveOut('instructions of Codex itself');
  else history.said(at, 'person', text);
}

function outputOf({ output }: JsonObject): string {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return contentText(output);
  return output === undefined ? '' : JSON.stringify(output);
}
