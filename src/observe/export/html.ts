/** A session as one HTML page: nothing is loaded, nothing runs, everything from outside is escaped. */
import { escapeHtml } from './escape.ts';
import { callTitle, modelName, stepTitle } from './titles.ts';
import { isoTime, saidText, type Call, type Step, type Trajectory, type Turn } from './trajectory.ts';

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
time { font-weight: normal; opacity: 0.6; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.5rem 0; unicode-bidi: plaintext; }
details, .said { border-left: 3px solid #8888; padding-left: 0.75rem; margin: 0.5rem 0; }
details pre { font-size: 0.85rem; max-height: 30rem; overflow: auto; }
summary { cursor: pointer; font-family: ui-monospace, monospace; }
.person { border-color: #36c; }
.failed > summary { color: #c33; }
`;

export function* asHtml(trajectory: Trajectory): Generator<string> {
  const { title, session, workspace, startedAt, setup } = trajectory;
  const name = escapeHtml(title.trim() || session);
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`;
  yield `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`;
  yield `<meta name="viewport" content="width=device-width">\n<title>${name}</title>\n<style>${style}</style>\n</head>\n<body>\n`;
  yield `<h1>${name}</h1>\n<p>Session ${escapeHtml(session)} in ${escapeHtml(workspace)}, begun ${isoTime(startedAt)}`;
  yield `${setup === undefined ? '' : `, with ${escapeHtml(modelName(setup))}`}.</p>\n`;
  for (const step of trajectory.steps) {
    yield `<section>\n<h2>${escapeHtml(stepTitle(step))} <time>${isoTime(step.at)}</time></h2>\n${bodyOf(step)}</section>\n`;
  }
  yield '</body>\n</html>\n';
}

function bodyOf(step: Step): string {
  switch (step.kind) {
    case 'turn':
      return turnBody(step);
    case 'said':
      return `<div class="said ${step.by}">${block(saidText(step))}</div>\n`;
    case 'compaction':
      return step.text === '' ? '' : folded('What the model sees instead', block(step.text));
    case 'stop':
      return step.detail === '' ? '' : block(step.detail);
    default:
      return '';
  }
}

function turnBody({ parts }: Turn): string {
  const pieces = parts.map((part) => {
    if (part.type === 'call') return callBody(part.call);
    if (part.type === 'sealed') return '<p>(a block that only its provider can read)</p>\n';
    return part.type === 'thinking' ? folded('Thinking', block(part.text)) : block(part.text);
  });
  return pieces.join('');
}

function callBody(call: Call): string {
  const given = block(call.malformed ?? JSON.stringify(call.arguments, undefined, 2));
  const result = call.result === undefined ? '' : block(saidText(call.result));
  const hasFailed = call.result !== undefined && call.result.outcome !== 'ok';
  return folded(callTitle(call), given + result, hasFailed ? ' class="failed"' : '');
}

function folded(title: string, body: string, attribute = ''): string {
  return `<details${attribute}><summary>${escapeHtml(title)}</summary>\n${body}</details>\n`;
}

function block(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>\n`;
}
