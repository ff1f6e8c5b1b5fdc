/** What a first request weighs, and how much of it stands before the task: tools and system prompt. */
import { complete, start, type Bench, type Line, type Row } from '../measure/bench.ts';
import type { Contender } from '../measure/contenders.ts';
import { figure } from '../measure/statistics.ts';

const rehearsal = { command: 'true', turns: 0, thinking: 0 };
const standingBudget = 1_200;

interface Weight {
  name: string;
  bytes: number;
  /** Of the whole body as it was sent. */
  tokens: number;
  standing: number;
}

export const requestRow: Row = {
  name: 'request',
  about: 'bytes and tokens of the first request',
  async measure(bench) {
    const { floor, product, peers } = bench;
    const notes: string[] = [];
    const weights: Weight[] = [];
    for (const contender of [floor, product, ...peers]) {
      try {
        weights.push(await weigh(bench, contender));
      } catch (error) {
        if (!peers.includes(contender)) throw error;
        notes.push(`${contender.name}: not measured. ${(error as Error).message}`);
      }
    }
    const line = (title: string, unit: string, key: 'bytes' | 'tokens' | 'standing'): Line => ({
      title,
      unit,
      figures: weights.map((weight) => figure(weight.name, [weight[key]])),
      verdicts: [],
      notes: [],
    });
    const standing = weights.find(({ name }) => name === product.name)?.standing ?? NaN;
    const verdict = { text: `${standing} tokens, at most ${standingBudget}`, met: standing <= standingBudget };
    return [
      line('First request', 'bytes', 'bytes'),
      line('First request, the whole body', 'tokens', 'tokens'),
      { ...line('First request, its standing part', 'tokens', 'standing'), verdicts: [verdict], notes },
    ];
  },
};

async function weigh(bench: Bench, contender: Contender): Promise<Weight> {
  // Loaded here: it takes 70 MB and a fifth of a second.
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const run = start(bench, contender, { rehearsal });
  const { body } = await run.first;
  await complete(run, rehearsal);
  const text = body.toString('utf8');
  const { tools, system } = JSON.parse(text) as { tools?: object[]; system?: string | { text?: string }[] };
  // The tools as JSON, which is all that is known of what a provider makes of them; the prompt as the text that it is.
  const prompt = typeof system === 'string' ? system : (system ?? []).map((block) => block.text ?? '').join('\n');
  const standing = countTokens(JSON.stringify(tools ?? [])) + countTokens(prompt);
  return { name: contender.name, bytes: body.length, tokens: countTokens(text), standing };
}
