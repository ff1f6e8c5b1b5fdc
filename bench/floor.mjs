// The floor: about the least that can be called a coding agent. One loop, one tool, one array of messages; no record, no
// sandbox, no rules, no limits. It is what Reins is measured against, so it is written to be fast, not to look slow.
import { spawn } from 'node:child_process';

// As anyone would write it. Node's module of that name drags in its fetch, at some 30 ms, when it is imported rather than asked
// for: the tuned floor shows what that makes.
const { Agent, request } = process.env.FLOOR_TUNED ? process.getBuiltinModule('node:http') : await import('node:http');

const model = process.env.FLOOR_MODEL ?? 'claude-sonnet-5-5';
const url = new URL('/v1/messages', process.env.ANTHROPIC_BASE_URL);
const agent = new Agent({ keepAlive: true });
const system = 'You are a coding agent. Use the shell tool to do the task, then say what you did.';
const tools = [
  {
    name: 'shell',
    description: 'Runs a shell command and gives its output and exit code.',
    input_schema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
];
const messages = [{ role: 'user', content: process.argv[2] ?? (await readAll(process.stdin)) }];

for (;;) {
  const content = await ask();
  messages.push({ role: 'assistant', content });
  const calls = content.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) {
    for (const block of content) if (block.type === 'text') process.stdout.write(`${block.text}\n`);
    break;
  }
  const results = [];
  for (const { id, input } of calls) {
    results.push({ type: 'tool_result', tool_use_id: id, content: await shell(input.command) });
  }
  messages.push({ role: 'user', content: results });
}
agent.destroy();

/** One request; resolves with the blocks of the reply when its stream has ended. */
function ask() {
  const body = Buffer.from(JSON.stringify({ model, max_tokens: 16000, stream: true, system, tools, messages }));
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'anthropic-version': '2023-06-01',
    'x-api-key': process.env.ANTHROPIC_API_KEY ?? '',
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers }, (response) => {
      if (response.statusCode !== 200) {
        readAll(response).then((text) => reject(new Error(`status ${response.statusCode}: ${text}`)), reject);
        return;
      }
      readStream(response).then(resolve, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function readStream(response) {
  const content = [];
  const pieces = [];
  let isWhole = false;
  let rest = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    const events = (rest + chunk).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const start = event.indexOf('data: ');
      if (start >= 0) take(JSON.parse(event.slice(start + 6)));
    }
  }
  if (!isWhole) throw new Error('the stream ended before its last event');
  return content;

  function take(event) {
    const { index, delta } = event;
    if (event.type === 'content_block_start') {
      content[index] = event.content_block;
      pieces[index] = '';
    } else if (event.type === 'content_block_delta') {
      pieces[index] += delta.text ?? delta.partial_json ?? '';
    } else if (event.type === 'content_block_stop') {
      const block = content[index];
      if (block.type === 'text') block.text = pieces[index];
      if (block.type === 'tool_use') block.input = JSON.parse(pieces[index] || '{}');
    } else if (event.type === 'message_stop') {
      isWhole = true;
    } else if (event.type === 'error') {
      throw new Error(event.error.message);
    }
  }
}

function shell(command) {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const add = (chunk) => (output += chunk);
    child.stdout.setEncoding('utf8').on('data', add);
    child.stderr.setEncoding('utf8').on('data', add);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(`${output}\nexit code: ${code ?? signal}`));
  });
}

async function readAll(stream) {
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) text += chunk;
  return text;
}
