/** What the strict mode says to requests of the Responses API. */
import { imageUrls, largeImage, mapCases, parameters } from './openai-parts.ts';
import {
  asked,
  customCall,
  customOutput,
  customTool,
  functionCall,
  functionOutput,
  functionTool,
  image,
  inputText,
  items,
  outputText,
  said,
} from './openai-responses-parts.ts';
import { user, type Cases } from './request-parts.ts';

const system = { role: 'developer', content: 's' };
const answered = (call = functionCall('t'), output = functionOutput('t')) => items(user('a'), call, output);
const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' };
const { 'more than 20 MB': _, ...badUrls } = imageUrls.refused;
const { 'exactly 20 MB': __, ...goodUrls } = imageUrls.accepted;

export const responsesInputCases: Cases = {
  text: {
    refused: {
      'half a surrogate pair in a text': items(user('a\ud83d')),
      'half a surrogate pair in an output': answered(functionCall('t'), functionOutput('t', '\udc00')),
      'half a surrogate pair in a key': asked({ metadata: { '\ud83d': 'x' } }),
    },
    accepted: { 'a whole surrogate pair': items(user('a\ud83d\udc69')), 'a text alone': { input: 'a\0\ufeff' } },
  },
  roles: {
    refused: {
      'the model last': items(user('a'), said('b')),
      'nobody but the system': items(system),
      'another role': items(user('a'), { role: 'tool', content: 'b' }),
    },
    accepted: {
      'turns in their order': items(system, user('a'), said('b'), user('c')),
      'neighbours of one role': items(user('a'), user('b'), said('c'), said('d'), user('e')),
      'a system message later': items(user('a'), said('b'), { role: 'system', content: 's' }, user('c')),
      'the model first': items(said('a'), user('b')),
      'an output last': answered(),
    },
  },
  blank: {
    refused: {
      'an empty message': items(user('')),
      'a blank message': items(user(' \n\t')),
      'no parts': items(user([])),
      'a blank text': items(user([inputText('a'), inputText(' ')])),
      'a blank text of the model': items(user('a'), said([outputText('')]), user('b')),
      'a blank refusal': items(user('a'), said([{ type: 'refusal', refusal: ' ' }]), user('b')),
      'an output without parts': answered(functionCall('t'), functionOutput('t', [])),
      'a blank text in an output': answered(functionCall('t'), functionOutput('t', [inputText('')])),
      'blank instructions': asked({ instructions: ' ' }),
    },
    accepted: {
      'text with blanks around it': items(user([inputText(' a ')])),
      'an empty output': answered(functionCall('t'), functionOutput('t', '')),
      'instructions that aren’t given': asked({ instructions: null }),
      'a refusal': items(user('a'), said([{ type: 'refusal', refusal: 'no' }]), user('b')),
    },
  },
  results: {
    refused: {
      'a call without output': items(user('a'), functionCall('t'), user('b')),
      'a call without output, and the system after it': items(
        user('a'),
        functionCall('t'),
        system,
        functionOutput('t'),
      ),
      'a custom call without output': items(user('a'), customCall('t'), user('b')),
      'one of two without output': items(user('a'), functionCall('t'), functionCall('u'), functionOutput('t')),
      'one of two without output before the next reply': items(
        user('a'),
        functionCall('t'),
        functionCall('u'),
        functionOutput('t'),
        said('b'),
        functionOutput('u'),
      ),
      'two outputs': items(user('a'), functionCall('t'), functionOutput('t'), functionOutput('t')),
    },
    accepted: {
      'outputs, then text': items(
        user('a'),
        functionCall('t'),
        functionCall('u'),
        functionOutput('t'),
        functionOutput('u'),
        user('b'),
      ),
      'outputs in another order': items(
        user('a'),
        functionCall('t'),
        customCall('u'),
        customOutput('u'),
        functionOutput('t'),
      ),
      'each output after its call': items(
        user('a'),
        functionCall('t'),
        functionOutput('t'),
        functionCall('u'),
        functionOutput('u'),
      ),
      'a word of the model after its call': items(user('a'), functionCall('t'), said('b'), functionOutput('t')),
    },
  },
  'orphan-results': {
    refused: {
      'an output without call': items(user('a'), functionOutput('t')),
      'an output of another call': items(user('a'), functionCall('t'), functionOutput('t'), functionOutput('u')),
      'an output before its call': items(user('a'), functionOutput('t'), functionCall('u'), functionOutput('u')),
      'a custom output without call': items(user('a'), customOutput('t')),
    },
    accepted: {
      'outputs of their calls': items(
        user('a'),
        functionCall('t'),
        customCall('u'),
        functionOutput('t'),
        customOutput('u'),
      ),
    },
  },
  ids: {
    refused: {
      'an empty id of a call': answered(functionCall(''), functionOutput('')),
      'a call’s id of 65 characters': answered(functionCall('t'.repeat(65)), functionOutput('t'.repeat(65))),
      'a call’s id twice': items(user('a'), functionCall('t'), functionCall('t'), functionOutput('t')),
      'a call’s id again later': items(
        user('a'),
        functionCall('t'),
        functionOutput('t'),
        customCall('t'),
        customOutput('t'),
      ),
      'an item’s id of another kind': answered(functionCall('t', { id: 'toolu_1' })),
      'a message’s id of another kind': items(user('a'), said('b', { id: 'rs_1' }), user('c')),
      'an item’s id of 65 characters': answered(functionCall('t', { id: `fc_${'x'.repeat(62)}` })),
      'an empty id of an item': answered(functionCall('t', { id: '' })),
      'an item’s id twice': items(user('a'), said('b', { id: 'msg_1' }), said('c', { id: 'msg_1' }), user('d')),
    },
    accepted: {
      'a call’s id of 64 characters': answered(functionCall('t'.repeat(64)), functionOutput('t'.repeat(64))),
      'ids of their kinds': items(
        user('a'),
        said('b', { id: 'msg_1', type: 'message', status: 'completed' }),
        functionCall('t', { id: `fc_${'x'.repeat(61)}`, status: 'completed' }),
        customCall('u', { id: 'ctc_1' }),
        functionOutput('t', 'r', { id: 'fco_1' }),
        customOutput('u'),
      ),
      'an id that is null': answered(functionCall('t', { id: null })),
    },
  },
  input: {
    refused: {
      'arguments that are an object': answered(functionCall('t', { arguments: {} })),
      'arguments that are a list': answered(functionCall('t', { arguments: '[]' })),
      'arguments that are cut': answered(functionCall('t', { arguments: '{"a":' })),
      'a call without a legal name': answered(functionCall('t', { name: 'read file' })),
      'a name of 129 characters': answered(functionCall('t', { name: 'a'.repeat(129) })),
      'a custom call without text': items(user('a'), customCall('t', { input: {} }), customOutput('t')),
      'an output that is an object': answered(functionCall('t'), functionOutput('t', {})),
      'content that is a number': items(user(5)),
      'a part of the model’s from the user': items(user([outputText('a')])),
      'a part of the user’s from the model': items(user('a'), said([inputText('b')]), user('c')),
      'a part of another API': items(user([{ type: 'text', text: 'a' }])),
      'a part of a prototype’s name': items(user([{ type: 'constructor' }])),
      'an unknown item': items({ type: 'tool_result', call_id: 't' }, user('a')),
      'an item of a prototype’s name': items({ type: 'constructor' }, user('a')),
      'a phase of the user': items({ ...user('a'), phase: 'commentary' }),
      'an unknown phase': items(user('a'), said('b', { phase: 'thinking' }), user('c')),
      'an item that is a text': { input: [user('a'), 'b'] },
      'input that is a number': { input: 5 },
      'no items': { input: [] },
      'no input': {},
      'no model': asked({ model: ' ' }),
      'too little output': asked({ max_output_tokens: 15 }),
      'output that is no number': asked({ max_output_tokens: '50' }),
      'a stream that is perhaps': asked({ stream: 'yes' }),
      'a store that is perhaps': asked({ store: 'no' }),
      'something unknown to include': asked({ include: ['reasoning'] }),
      'reasoning in a word': asked({ reasoning: 'high' }),
    },
    accepted: {
      'arguments of any depth': answered(functionCall('t', { arguments: '{"a":{"b":[null]}}' })),
      'a name of 128 characters': answered(functionCall('t', { name: 'a'.repeat(128) })),
      'an empty text for a custom tool': items(user('a'), customCall('t', { input: '' }), customOutput('t')),
      'an output in parts': answered(
        functionCall('t'),
        functionOutput('t', [inputText('a'), image('https://a.invalid/b.png')]),
      ),
      'phases of the model': items(
        user('a'),
        said('b', { phase: 'commentary' }),
        said('c', { phase: 'final_answer' }),
        user('d'),
      ),
      'a provider’s own items': items(
        user('a'),
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        said('b'),
        user('c'),
      ),
      'a document': items(user([{ type: 'input_file', file_id: 'f' }])),
      'the least output': asked({ max_output_tokens: 16 }),
      'what can be included': asked({ include: ['reasoning.encrypted_content', 'message.output_text.logprobs'] }),
    },
  },
};

export const responsesEnvelopeCases: Cases = {
  keys: {
    refused: {
      'an unknown key at the top': asked({ maxTokens: 5 }),
      'a key of another API': asked({ max_tokens: 50 }),
      'an unknown key in a message': items({ ...user('a'), name: 'x' }),
      'an unknown key in an output': answered(functionCall('t'), functionOutput('t', 'r', { is_error: true })),
      'an index in a call': answered(functionCall('t', { index: 0 })),
      'an unknown key in a part': items(user([inputText('a', { cache_control: { type: 'ephemeral' } })])),
      'an unknown key in a tool': asked({ tools: [functionTool('a', { type: 'object' }, { function: {} })] }),
      'an unknown key in a format': asked({ tools: [customTool('a', { ...grammar, grammar: {} })] }),
      'an unknown key in reasoning': asked({ reasoning: { effort: 'high', budget: 5 } }),
    },
    accepted: {
      'every key that Reins may set': asked({
        instructions: 's',
        temperature: 1,
        top_p: 1,
        store: false,
        stream: false,
        reasoning: { effort: 'high', summary: 'auto' },
        text: { verbosity: 'low' },
        service_tier: 'auto',
        prompt_cache_key: 'k',
        prompt_cache_retention: '24h',
        parallel_tool_calls: true,
        truncation: 'disabled',
        metadata: {},
        client_metadata: {},
      }),
      'a mark for the cache': items(user([inputText('a', { prompt_cache_breakpoint: { mode: 'explicit' } })])),
    },
  },
  images: {
    refused: {
      ...mapCases(badUrls, (url) => items(user([image(url)]))),
      'an image without any URL': items(user([{ type: 'input_image' }])),
      'a bad image in an output': answered(functionCall('t'), functionOutput('t', [image('a.png')])),
    },
    accepted: {
      ...mapCases(goodUrls, (url) => items(user([image(url)]))),
      'an image that was uploaded': items(user([{ type: 'input_image', file_id: 'file_1', detail: 'low' }])),
    },
  },
  window: {
    refused: {
      'too much input': items(user('x'.repeat(4 * 10_000))),
      'input and output together': { ...items(user('x'.repeat(4 * 9_000))), max_output_tokens: 1100 },
      'too much in one text': { input: 'x'.repeat(4 * 10_000) },
    },
    accepted: {
      'input and output that just fit': { ...items(user('x'.repeat(4 * 8_980))), max_output_tokens: 1000 },
      'an image, whatever its bytes': items(user([image(largeImage)])),
    },
  },
  tools: {
    refused: {
      ...mapCases(parameters.refused, ([schema, strict]) => asked({ tools: [functionTool('a', schema, { strict })] })),
      'a name with a dot': asked({ tools: [functionTool('a.b')] }),
      'a name that is too long': asked({ tools: [functionTool('a'.repeat(129))] }),
      'a name twice': asked({ tools: [functionTool('a'), customTool('a', grammar)] }),
      'another type': asked({ tools: [{ type: 'bash', name: 'a' }] }),
      'a nested function': asked({ tools: [{ type: 'function', parameters: { type: 'object' } }] }),
      'an unknown format': asked({ tools: [customTool('a', { type: 'json' })] }),
      'an unknown grammar': asked({ tools: [customTool('a', { ...grammar, syntax: 'bnf' })] }),
      'a grammar without definition': asked({ tools: [customTool('a', { ...grammar, definition: '' })] }),
      'a description that is a number': asked({ tools: [functionTool('a', { type: 'object' }, { description: 5 })] }),
      'tools that are an object': asked({ tools: {} }),
      'a choice that isn’t there': asked({ tools: [functionTool('a')], tool_choice: { type: 'custom', name: 'a' } }),
    },
    accepted: {
      ...mapCases(parameters.accepted, ([schema, strict]) => asked({ tools: [functionTool('a', schema, { strict })] })),
      'the longest name': asked({ tools: [functionTool('a'.repeat(128))] }),
      'custom tools': asked({
        tools: [
          customTool('a', grammar),
          customTool('b', { type: 'text' }),
          { type: 'custom', name: 'c', description: 'd' },
        ],
      }),
      'a provider’s own tool': asked({ tools: [{ type: 'web_search', search_context_size: 'low' }] }),
      'no tools': asked({ tools: [] }),
      'a choice that is there': asked({ tools: [functionTool('a')], tool_choice: { type: 'function', name: 'a' } }),
      'any choice': asked({ tools: [functionTool('a')], tool_choice: 'required' }),
    },
  },
};
