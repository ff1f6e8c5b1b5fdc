/** What the strict mode says to requests of Chat Completions. */
import { asked, calling, functionTool, imagePart, saying, toolCall, toolResult } from './openai-chat-parts.ts';
import { imageUrls, largeImage, mapCases, parameters } from './openai-parts.ts';
import { mark, talk, text, user, type Cases } from './request-parts.ts';

const megabyte = 1024 * 1024;
const system = { role: 'system', content: 's' };
const answered = (call = toolCall('t'), result = toolResult('t')) => talk(user('a'), calling(call), result);

export const chatConversationCases: Cases = {
  text: {
    refused: {
      'half a surrogate pair in a text': talk(user('a\ud83d')),
      'half a surrogate pair in arguments': answered(toolCall('t', {}, { arguments: '{"a":"\udc00"}' })),
      'half a surrogate pair in a key': asked({ metadata: { '\ud83d': 'x' } }),
    },
    accepted: {
      'a whole surrogate pair': talk(user('a\ud83d\udc69')),
      'a NUL and a lone BOM': talk(user('a\0\ufeff')),
    },
  },
  roles: {
    refused: {
      'the model first': talk(system, saying('a'), user('b')),
      'the model last': talk(user('a'), saying('b')),
      'nobody but the system': talk(system),
      'another role': talk(user('a'), { role: 'function', content: 'b' }, user('c')),
      'a role of a prototype’s name': talk(user('a'), { role: 'constructor', content: 'b' }, user('c')),
    },
    accepted: {
      'turns in their order': talk(system, user('a'), saying('b'), user('c')),
      'neighbours of one role': talk(user('a'), user('b'), saying('c'), saying('d'), user('e')),
      'a developer in front, a system message later': talk(
        { ...system, role: 'developer' },
        user('a'),
        saying('b'),
        system,
        user('c'),
      ),
      'a result last': answered(),
    },
  },
  blank: {
    refused: {
      'an empty message': talk(user('')),
      'a blank message': talk(user(' \n\t')),
      'no parts': talk(user([])),
      'an empty text': talk(user([text('')])),
      'a blank text': talk(user([text('a'), text(' ')])),
      'a blank system prompt': talk({ ...system, content: ' ' }, user('a')),
      'nothing said and nothing called': talk(user('a'), saying(''), user('b')),
      'a blank part beside a call': talk(
        user('a'),
        saying([text('')], { tool_calls: [toolCall('t')] }),
        toolResult('t'),
      ),
      'a blank part in a result': answered(toolCall('t'), toolResult('t', { content: [text('')] })),
    },
    accepted: {
      'text with blanks around it': talk(user([text(' a ')])),
      'an empty result': answered(toolCall('t'), toolResult('t', { content: '' })),
      'a call without a word': answered(),
      'an empty word beside a call': talk(user('a'), saying('', { tool_calls: [toolCall('t')] }), toolResult('t')),
    },
  },
  results: {
    refused: {
      'a call without result': talk(user('a'), calling(toolCall('t')), user('b')),
      'a call without result, at the end of all': talk(
        user('a'),
        calling(toolCall('t')),
        toolResult('t'),
        calling(toolCall('u')),
        user('b'),
      ),
      'one of two without result': talk(user('a'), calling(toolCall('t'), toolCall('u')), toolResult('t')),
      'two results': talk(user('a'), calling(toolCall('t')), toolResult('t'), toolResult('t')),
    },
    accepted: {
      'results, then text': talk(
        user('a'),
        calling(toolCall('t'), toolCall('u')),
        toolResult('t'),
        toolResult('u'),
        user('b'),
      ),
      'results in another order': talk(
        user('a'),
        calling(toolCall('t'), toolCall('u')),
        toolResult('u'),
        toolResult('t'),
      ),
    },
  },
  'orphan-results': {
    refused: {
      'a result without call': talk(user('a'), toolResult('t')),
      'a result of another call': talk(user('a'), calling(toolCall('t')), toolResult('t'), toolResult('u')),
      'a result of an earlier call': talk(
        user('a'),
        calling(toolCall('t')),
        toolResult('t'),
        saying('b'),
        toolResult('t'),
      ),
      'a result after the user': talk(user('a'), calling(toolCall('t')), toolResult('t'), user('b'), toolResult('t')),
    },
    accepted: { 'a result of its call': answered() },
  },
  ids: {
    refused: {
      'an empty id': answered(toolCall(''), toolResult('')),
      'an id of 65 characters': answered(toolCall('t'.repeat(65)), toolResult('t'.repeat(65))),
      'an id twice in a reply': talk(user('a'), calling(toolCall('t'), toolCall('t')), toolResult('t')),
      'an id again later': talk(
        user('a'),
        calling(toolCall('t')),
        toolResult('t'),
        calling(toolCall('t')),
        toolResult('t'),
      ),
    },
    accepted: {
      'an id of 64 characters': answered(toolCall('t'.repeat(64)), toolResult('t'.repeat(64))),
      'an id of any characters': answered(toolCall('functions.read:0'), toolResult('functions.read:0')),
    },
  },
  input: {
    refused: {
      'arguments that are an object': answered(toolCall('t', {}, { arguments: {} })),
      'arguments that are a list': answered(toolCall('t', {}, { arguments: '[]' })),
      'arguments that are cut': answered(toolCall('t', {}, { arguments: '{"a":' })),
      'no arguments': answered(toolCall('t', {}, { arguments: '' })),
      'a call without a legal name': answered(toolCall('t', {}, { name: 'read file' })),
      'a name of 65 characters': answered(toolCall('t', {}, { name: 'a'.repeat(65) })),
      'an empty list of calls': talk(user('a'), saying('b', { tool_calls: [] }), user('c')),
      'calls that are a text': talk(user('a'), saying('b', { tool_calls: 'no' }), user('c')),
      'a reply of nothing': talk(user('a'), saying(null), user('b')),
      'a user without content': talk({ role: 'user' }),
      'a result without content': answered(toolCall('t'), { role: 'tool', tool_call_id: 't' }),
      'content that is a number': talk(user(5)),
      'an unknown part': talk(user([{ type: 'input_text', text: 'a' }])),
      'a part of a prototype’s name': talk(user([{ type: 'constructor' }])),
      'a message that is a text': { messages: [user('a'), 'b'] },
      'no messages': { messages: [] },
      'no list of messages': {},
      'no model': asked({ model: ' ' }),
      'no output at all': asked({ max_completion_tokens: 0 }),
      'output that is no number': asked({ max_tokens: '5' }),
      'output in both words': asked({ max_tokens: 5, max_completion_tokens: 5 }),
      'a stream that is perhaps': asked({ stream: 'yes' }),
      'options of a stream without one': asked({ stream_options: { include_usage: true } }),
    },
    accepted: {
      'arguments of any depth': answered(toolCall('t', {}, { arguments: '{"a":{"b":[null]}}' })),
      'a name of 64 characters': answered(toolCall('t', {}, { name: 'a'.repeat(64) })),
      'a call with a word': talk(user('a'), saying('b', { tool_calls: [toolCall('t')] }), toolResult('t')),
      'a call without content': talk(user('a'), { role: 'assistant', tool_calls: [toolCall('t')] }, toolResult('t')),
      'a result in parts': answered(toolCall('t'), toolResult('t', { content: [text('r')] })),
      'a document': talk(user([{ type: 'file', file: { file_id: 'f' } }])),
      'one token of output': asked({ max_completion_tokens: 1 }),
      'output in the older word': asked({ max_tokens: 5, max_completion_tokens: null }),
      'options of a stream': asked({
        stream: true,
        stream_options: { include_usage: true, include_obfuscation: false },
      }),
    },
  },
};

export const chatEnvelopeCases: Cases = {
  keys: {
    refused: {
      'an unknown key at the top': asked({ maxTokens: 5 }),
      'a key of another API': asked({ max_output_tokens: 50 }),
      'an unknown key in a message': talk({ ...user('a'), id: 'x' }),
      'reasoning of the user': talk({ ...user('a'), reasoning_content: 'x' }),
      'an error flag in a result': answered(toolCall('t'), toolResult('t', { is_error: true })),
      'an index in a call': answered(toolCall('t', { index: 0 })),
      'an unknown key in a part': talk(user([text('a', { id: 1 })])),
      'an unknown key in an image': talk(user([{ ...imagePart('https://a.invalid/b.png'), data: 'x' }])),
      'an unknown key in a tool': asked({ tools: [{ ...functionTool('a'), name: 'a' }] }),
      'an unknown key in a function': asked({ tools: [functionTool('a', { type: 'object' }, { input_schema: {} })] }),
    },
    accepted: {
      'keys of the API': asked({
        temperature: 1,
        top_p: 1,
        stop: ['x'],
        user: 'u',
        service_tier: 'auto',
        reasoning_effort: 'high',
        verbosity: 'low',
        store: false,
        metadata: {},
        prompt_cache_key: 'k',
        response_format: { type: 'text' },
      }),
      'keys of other providers': asked({
        reasoning: { effort: 'high' },
        thinking: { type: 'enabled' },
        enable_thinking: true,
        thinking_budget: 5,
        chat_template_kwargs: { thinking: true },
        reasoning_format: 'parsed',
        provider: { order: [] },
        parse_tool_calls: true,
        options: { num_ctx: 5 },
        num_ctx: 5,
        think: true,
        top_k: 1,
        min_p: 0,
      }),
      'keys of a message': talk({ ...user('a'), name: 'x' }, saying('b', { refusal: null, name: 'y' }), user('c')),
      'what a gateway adds to a call': answered(toolCall('t', { extra_content: { google: {} } })),
    },
  },
  images: {
    refused: {
      ...mapCases(imageUrls.refused, (url) => talk(user([imagePart(url)]))),
      'a URL without its object': talk(user([{ type: 'image_url', image_url: 'https://a.invalid/b.png' }])),
      'an image in a result': answered(
        toolCall('t'),
        toolResult('t', { content: [imagePart('https://a.invalid/b.png')] }),
      ),
      'an image of the model': talk(user('a'), saying([imagePart('https://a.invalid/b.png')]), user('b')),
    },
    accepted: mapCases(imageUrls.accepted, (url) => talk(user([imagePart(url)]))),
  },
  window: {
    refused: {
      'too much input': talk(user('x'.repeat(4 * 10_000))),
      'input and output together': { ...talk(user('x'.repeat(4 * 9_000))), max_completion_tokens: 1100 },
      'more than 50 MB': talk(user('x'.repeat(50 * megabyte))),
    },
    accepted: {
      'input and output that just fit': { ...talk(user('x'.repeat(4 * 8_980))), max_tokens: 1000 },
      'an image, whatever its bytes': talk(user([imagePart(largeImage)])),
    },
  },
  marks: {
    refused: {
      'five marks': {
        tools: [{ ...functionTool('a'), ...mark() }],
        ...talk(user([text('a', mark()), text('b', mark())]), saying([text('c', mark())]), user([text('d', mark())])),
      },
      'a kind of mark that isn’t': talk(user([text('a', { cache_control: { type: 'lasting' } })])),
      'a mark that is a text': talk(user([text('a', { cache_control: 'ephemeral' })])),
      'a lifetime that isn’t': talk(user([text('a', mark('2h'))])),
      'a long one after a short one': talk(user([text('a', mark('5m')), text('b', mark('1h'))])),
    },
    accepted: {
      'four marks': {
        tools: [{ ...functionTool('a'), ...mark() }],
        ...talk(user([text('a', mark()), text('b', mark())]), saying([text('c', mark())]), user('d')),
      },
      'a short one after a long one': talk(user([text('a', mark('1h')), imagePart('https://a.invalid/b.png', mark())])),
    },
  },
  tools: {
    refused: {
      ...mapCases(parameters.refused, ([schema, strict]) => asked({ tools: [functionTool('a', schema, { strict })] })),
      'a name with a dot': asked({ tools: [functionTool('a.b')] }),
      'a name that is too long': asked({ tools: [functionTool('a'.repeat(65))] }),
      'a name twice': asked({ tools: [functionTool('a'), functionTool('a')] }),
      'another type': asked({ tools: [{ type: 'custom', function: { name: 'a', parameters: { type: 'object' } } }] }),
      'a flat function': asked({ tools: [{ type: 'function' }] }),
      'an empty list': asked({ tools: [] }),
      '129 tools': asked({ tools: Array.from({ length: 129 }, (_, index) => functionTool(`t${index}`)) }),
      'a description that is a number': asked({ tools: [functionTool('a', { type: 'object' }, { description: 5 })] }),
      'a choice without tools': asked({ tool_choice: 'auto' }),
      'parallel calls without tools': asked({ parallel_tool_calls: true }),
      'a choice that isn’t there': asked({
        tools: [functionTool('a')],
        tool_choice: { type: 'function', function: { name: 'b' } },
      }),
    },
    accepted: {
      ...mapCases(parameters.accepted, ([schema, strict]) => asked({ tools: [functionTool('a', schema, { strict })] })),
      'the longest name': asked({ tools: [functionTool('a'.repeat(64))] }),
      '128 tools': asked({ tools: Array.from({ length: 128 }, (_, index) => functionTool(`t${index}`)) }),
      'a choice that is there': asked({
        tools: [functionTool('a')],
        tool_choice: { type: 'function', function: { name: 'a' } },
        parallel_tool_calls: true,
      }),
    },
  },
};
