/** A session as a Markdown document: what was said and answered as text, calls with their results folded away. */
import { escapeHtml } from './escape.ts';
import { callTitle, modelName, stepTitle } from './titles.ts';
import { isoTime, saidText, type Call, type Step, type Trajectory, type Turn } from './trajectory.ts';

export function* asMarkdown(trajectory: Trajectory): Generator<string> {
  const { title, session, workspace, startedAt, setup } = trajectory;
  yield `# ${oneLine(title) || session}\n\n`;
  yield `- Session: ${session}\n- Workspace: ${oneLine(workspace)}\n- Begun: ${isoTime(startedAt)}\n`;
  if (setup !== undefined) yield `- Model: ${oneLine(modelName(setup))}\n`;
  for (const step of trajectory.steps) yield `\n## ${oneLine(stepTitle(step))}\n\n${bodyOf(step)}`;
}

function bodyOf(step: Step): string {
  switch (step.kind) {
    case 'turn':
      return turnBody(step);
    case 'said':
      return quoted(saidText(step));
    case 'compaction':
      return step.text === '' ? '' : quoted(step.text);
    case 'stop':
      return step.detail === '' ? '' : quoted(step.detail);
    default:
      return '';
  }
}

function turnBody({ parts }: Turn): string {
  const pieces = parts.map((part) => {
    if (part.type === 'call') return callBody(part.call);
    if (part.type === 'sealed') return '*(a block that only its provider can read)*\n';
    return part.type === 'thinking' ? folded('Thinking', fenced(part.text, '')) : `${part.text}\n`;
  });
  return pieces.join('\n');
}

function callBody(call: Call): string {
  const given = fenced(call.malformed ?? JSON.stringify(call.arguments, undefined, 2), 'json');
  const result = call.result === undefined ? '*(no result)*\n' : fenced(saidText(call.result), '');
  return folded(callTitle(call), `${given}\n${result}`);
}

function folded(title: string, body: string): string {
  return `<details><summary>${escapeHtml(oneLine(title))}</summary>\n\n${body}\n</details>\n`;
}

/** A fence that nothing in the text can close. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}

function quoted(text: string): string {
  return `${text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
