/** Embeds a session with a tool of one's own. Run: npx -c 'node --conditions=reins-source examples/embed/main.ts' */
import { createSession } from 'reins';
import { defineTool } from 'reins/tools';

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  input: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  // Declared effects decide the verdict and what may run at once; this tool only reads, and nothing of the workspace.
  effects: { effects: ['read'], resources: [] },
  // Asking twice is as good as asking once: a fault that may pass is tried again, and the same call twice is run once.
  idempotent: true,
  // By these words it is found where there are more tools than the model is told of at once.
  keywords: ['forecast', 'temperature'],
  execute: ({ city }) => `sunny in ${city}, 24 degrees`,
});

const session = await createSession({
  workspace: import.meta.dirname,
  // A real model: 'anthropic/...' with ANTHROPIC_API_KEY set. Here it is rehearsed.
  settings: { model: `script:${import.meta.dirname}/scenario.json`, mode: 'plan' },
  tools: [weather],
  onEvent: (event) => console.error(event.kind),
});
await session.say('What is the weather in Lisbon?');
const outcome = await session.run();
console.log(outcome.answer);
await session.close();
process.exitCode = outcome.exit;
