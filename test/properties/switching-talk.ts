/** Random conversations: what people and the harness say, what models of every kind reply, what calls give. */
import * as fc from 'fast-check';
import type { InputFrom, Json, JsonObject, Outcome, ReplyPart, ReplyStop } from '../../src/core/index.ts';
import type { ScriptedReply } from '../../src/testing/index.ts';
import { targets } from './switching-peers.ts';

/** What became of a call, and when its result came among those of its reply; without one its record is lost. */
export interface Given {
  outcome: Outcome;
  text: string;
  images: number;
  order: number;
  lost: boolean;
}

export type Step =
  | { kind: 'say'; from: InputFrom; text: string; images: number }
  /** A reply of the model at this place, over its wire. */
  | { kind: 'reply'; by: number; reply: ScriptedReply; results: Given[] }
  /** A reply of a model that nobody here knows. */
  | { kind: 'foreign'; parts: ReplyPart[]; stop: ReplyStop; results: Given[] };

const sometimes = <T>(arbitrary: fc.Arbitrary<T>, weight = 4): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const words = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('I look.', 'Ünïcode 😀.', 'a\u2028b\u0000c', 'two\n\nlines') },
  { weight: 2, arbitrary: fc.constantFrom('', ' ', ' \n\t') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('half \ud83d', '\udc4b', 'error: none') },
);
/** What is thought is signed as it is: it holds whole characters only. */
const thought = fc.constantFrom('Hm.', 'A long thought 😀 that winds.', ' ', 'a\u2028b');

const id = fc.oneof(
  fc.constantFrom(
    '',
    'twin',
    'call_1',
    'call',
    'a b/c:d.é',
    '__proto__',
    'x'.repeat(70),
    `${'x'.repeat(64)}y`,
    'x'.repeat(64),
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('read', 'read', 'patch', 'server.files/read', '9 lives') },
  { weight: 1, arbitrary: fc.constantFrom('nothing', 'no such/tool.é', '__proto__', 'n'.repeat(200), '_') },
);
const args: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ path: words }),
  fc.constant({}),
  fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>, { maxKeys: 3 }),
);
const malformed = fc.constantFrom('{"path": ', '[1]', 'null', "{'path': 1}", '{"path": "half \ud83d');

const call = (odd: boolean) =>
  fc
    .record({
      name,
      arguments: args,
      id: odd ? sometimes(id, 1) : fc.constant(undefined),
      malformed: sometimes(malformed, 8),
    })
    .map(({ id: given, malformed: raw, ...rest }) => ({
      call: { ...rest, ...(given !== undefined && { id: given }), ...(raw !== undefined && { malformed: raw }) },
    }));

/** Blocks that are nobody's but one provider's. */
const own: { [wire: string]: JsonObject[] } = {
  anthropic: [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
    { type: 'compaction', content: 'Compacted.' },
  ],
  'openai-responses': [
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'c2VhbGVk' },
  ],
  'openai-chat': [
    { reasoning: 'In another field.' },
    { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'As a part.' }] }] },
    { reasoning_details: [{ type: 'reasoning.text', text: 'In detail.', signature: 'c2lnbmVk', index: 0 }] },
  ],
  gemini: [
    { executableCode: { language: 'PYTHON', code: 'print(1)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK' } },
  ],
};

const stop = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('length', 'refusal', 'pause', 'overflow', 'end', 'news') },
);

type Block = NonNullable<ScriptedReply['blocks']>[number];

/** How a reply thinks; nobody does so in two ways at once. */
type Thinking = 'not' | 'in blocks' | 'in tags' | 'by itself';

/** A server knows by the ids of its calls which thinking a reply had: with it, ids that come twice would confuse it. */
const blocksOf = (wire: string, thinking: Thinking): fc.Arbitrary<Block[]> => {
  const spoken: fc.Arbitrary<Block> = words.map((text) => ({ text }));
  const called = call(thinking === 'not');
  const blocks: fc.Arbitrary<Block>[] = [spoken, spoken, called, called, called];
  if (thinking === 'in blocks')
    blocks.push(
      thought.map((text) => ({ thinking: text })),
      thought.map((text) => ({ redacted: text })),
    );
  if (thinking === 'by itself') {
    return fc
      .constantFrom(...(own[wire] ?? []))
      .chain((opaque) => fc.array(fc.oneof(...blocks, fc.constant({ opaque })), { maxLength: 5 }));
  }
  const list = fc.array(fc.oneof(...blocks), { maxLength: 5 });
  if (thinking !== 'in tags') return list;
  return list.map((rest) => [{ text: '<think>Hm.</think>\nSo.' }, ...rest]);
};

const given: fc.Arbitrary<Given> = fc.record({
  outcome: fc.constantFrom('ok', 'ok', 'error', 'denied', 'cut', 'interrupted'),
  text: words,
  images: fc.constantFrom(0, 0, 0, 1, 2),
  order: fc.integer({ min: 0, max: 9 }),
  lost: fc.integer({ min: 0, max: 19 }).map((value) => value === 0),
});
const results = fc.array(given, { minLength: 5, maxLength: 5 });

const say: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('say' as const),
  from: fc.constantFrom('user', 'user', 'steer', 'harness', 'hook'),
  text: words,
  images: fc.constantFrom(0, 0, 1),
});

const reply: fc.Arbitrary<Step> = fc
  .record({
    by: fc.nat({ max: targets.length - 1 }),
    thinking: fc.constantFrom<Thinking>('not', 'in blocks', 'in tags', 'by itself'),
  })
  .chain(({ by, thinking }) =>
    fc.record({
      kind: fc.constant('reply' as const),
      by: fc.constant(by),
      reply: fc.record({ blocks: blocksOf(targets[by]?.wire ?? '', thinking), stop }).map(({ blocks, stop: end }) => ({
        blocks,
        ...(end !== undefined && { stop: end }),
      })),
      results,
    }),
  );

const opaque = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
const maybeOpaque = sometimes(opaque, 1).map((value) => (value === undefined ? {} : { opaque: value }));
const part: fc.Arbitrary<ReplyPart> = fc.oneof(
  fc.tuple(words, maybeOpaque).map(([text, more]) => ({ type: 'text' as const, text, ...more })),
  fc.tuple(words, maybeOpaque).map(([text, more]) => ({ type: 'thinking' as const, text, ...more })),
  opaque.map((value) => ({ type: 'opaque' as const, opaque: value })),
  fc.tuple(id, name, args, sometimes(malformed, 8), maybeOpaque).map(([callId, called, given, raw, more]) => {
    const made = raw === undefined ? { arguments: given } : { arguments: {}, malformed: raw };
    return { type: 'call' as const, id: callId, name: called, ...made, ...more };
  }),
);
const foreign: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('foreign' as const),
  parts: fc.array(part, { maxLength: 5 }),
  stop: fc.constantFrom('end', 'end', 'calls', 'length', 'refusal', 'pause', 'other'),
  results,
});

export const talks: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: say }, { weight: 5, arbitrary: reply }, { weight: 2, arbitrary: foreign }),
  { minLength: 1, maxLength: 10 },
);
