/**
 * Drives a whole session by `step` and `settle`: the harness decides and records, this program does the work. The driver could as
 * well be a server, a durable engine or an editor. Run: npx -c 'node --conditions=reins-source examples/step/main.ts'
 */
import { createSession, type Items, type Outcomes, type WorkItem } from 'reins';

/** What this driver's model says, turn by turn. */
const replies: Outcomes['ask-model'][] = [
  reply([{ type: 'call', id: 'call_1', name: 'read', arguments: { path: 'main.ts' } }], 'calls'),
  reply([{ type: 'text', text: 'This program drives a session by hand.' }], 'end'),
];

const session = await createSession({
  workspace: import.meta.dirname,
  // The model is never called: its items are settled here.
  settings: { model: 'anthropic/any', mode: 'plan', endpoint: { apiKey: 'unused', baseUrl: 'http://127.0.0.1:9' } },
});
await session.say('What does main.ts do?');

let item = await session.step();
for (; item.item !== 'stopped' && item.item !== 'wait'; item = await session.step()) {
  console.error(`${item.item} ${item.id}`);
  await work(item);
}
console.log(session.outcome().answer);
await session.close();
process.exitCode = session.outcome().exit;

async function work(out: Exclude<WorkItem, Items['stopped'] | Items['wait']>): Promise<void> {
  switch (out.item) {
    case 'ask-model': {
      console.error(`  ${out.request.body.length} bytes for the model`);
      const next = replies.shift();
      if (next !== undefined) await session.settle(out, next);
      return;
    }
    case 'run-call':
      return session.settle(out, { outcome: 'ok', text: `(what ${JSON.stringify(out.call.arguments)} gives)` });
    case 'approve':
      return session.settle(out, { by: 'example', decision: 'no', scope: 'once' });
    case 'check':
      return session.settle(out, { passed: true, exit: 0, outcome: 'passed', output: { text: '' }, elapsed: 0 });
  }
}

function reply(
  parts: Extract<Outcomes['ask-model'], { kind: 'reply' }>['data']['parts'],
  stop: 'calls' | 'end',
): Outcomes['ask-model'] {
  return {
    kind: 'reply',
    data: { source: { wire: 'anthropic', model: 'any' }, parts, stop, firstByte: 0, elapsed: 0 },
  };
}
