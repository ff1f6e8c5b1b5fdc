/** What the strict mode says to requests of generateContent. */
import {
  call,
  data,
  declaration,
  hello,
  jsonSchema,
  model,
  parameters,
  response,
  talk,
  text,
  tools,
  user,
} from './gemini-parts.ts';
import type { Cases, Json } from './request-parts.ts';

const megabyte = 1024 * 1024;
const config = (generationConfig: Json): Json => ({ ...hello, generationConfig });
const instruction = (systemInstruction: unknown): Json => ({ ...hello, systemInstruction });
const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
const property = (schema: unknown): Json => parameters(object({ a: schema }));
const answered = (...said: Json[]): Json => talk(user('a'), model(said), user([response()]));

export const geminiCases: Cases = {
  text: {
    refused: {
      'half a surrogate pair in a text': talk(user('a\ud83d')),
      'half a surrogate pair in a key': answered(call('read', {}, { args: { '\ud83d': 1 } })),
    },
    accepted: {
      'a whole surrogate pair': talk(user('a\ud83d\udc69')),
      'a NUL and a lone BOM': talk(user('a\0\ufeff')),
    },
  },
  roles: {
    refused: {
      'the model first': talk(model('a'), user('b')),
      'the model last': talk(user('a'), model('b')),
      'another role': talk({ role: 'assistant', parts: [text('a')] }),
      'a role of its own for results': talk(user('a'), { role: 'function', parts: [text('b')] }, user('c')),
      'no role in a conversation': talk(user('a'), { parts: [text('b')] }),
      'calls after words of the model': talk(user('a'), model('b'), model([call()]), user([response()])),
    },
    accepted: {
      'turns in their order': talk(user('a'), model('b'), user('c')),
      'neighbours of one role': talk(user('a'), user('b'), model('c'), model('d'), user('e')),
      'no role in a single message': talk({ parts: [text('a')] }),
      'words and calls in one turn': answered(text('b'), call()),
      'calls after results': talk(user('a'), model([call()]), user([response()]), model([call()]), user([response()])),
    },
  },
  blank: {
    refused: {
      'no parts': talk(user([])),
      'parts that are missing': talk({ role: 'user' }),
      'an empty text': talk(user('')),
      'an empty text of the model': talk(user('a'), model(''), user('b')),
      'an empty thought': talk(user('a'), model([text('', { thought: true }), text('b')]), user('c')),
      'an empty system instruction': instruction({ parts: [text('')] }),
      'a system instruction without parts': instruction({ parts: [] }),
    },
    accepted: {
      'a blank text': talk(user(' \n')),
      'an empty text with a signature': talk(
        user('a'),
        model([text('', { thoughtSignature: 'skip_thought_signature_validator' })]),
        user('b'),
      ),
      'a system instruction': instruction({ parts: [text('a'), text('b')], role: 'user' }),
      'an empty result': talk(user('a'), model([call()]), user([response('read', { response: { output: '' } })])),
    },
  },
  results: {
    refused: {
      'a call without result': talk(user('a'), model([call()]), user('b')),
      'a call at the end': talk(user('a'), model([call()])),
      'one of two without result': talk(user('a'), model([call(), call()]), user([response()])),
      'two results for one call': talk(user('a'), model([call()]), user([response(), response()])),
    },
    accepted: {
      'as many results as calls': talk(user('a'), model([call(), call()]), user([response(), response()])),
      'results, then text': talk(user('a'), model([call()]), user([response(), text('b')])),
      'results, then text of its own': talk(user('a'), model([call()]), user([response()]), user('b')),
    },
  },
  'orphan-results': {
    refused: {
      'a result without call': talk(user([response()])),
      'a result after words': talk(user('a'), model('b'), user([response()])),
      'a result of an earlier call': talk(user('a'), model([call()]), user([response()]), user([response()])),
      'a result of another function': talk(user('a'), model([call('read')]), user([response('list')])),
      'results of one function for two': talk(
        user('a'),
        model([call('read'), call('list')]),
        user([response('read'), response('read')]),
      ),
    },
    accepted: {
      'results in another order': talk(
        user('a'),
        model([call('read'), call('list')]),
        user([response('list'), response('read')]),
      ),
    },
  },
  ids: {
    refused: {
      'an id that no call has': talk(user('a'), model([call()]), user([response('read', { id: 'x' })])),
      'one id for two': talk(
        user('a'),
        model([call('read', {}, { id: 'x' }), call('read', {}, { id: 'y' })]),
        user([response('read', { id: 'x' }), response('read', { id: 'x' })]),
      ),
    },
    accepted: {
      'ids where there are some': talk(
        user('a'),
        model([call('read', {}, { id: 'x' }), call('read', {}, { id: 'y' })]),
        user([response('read', { id: 'y' }), response('read', { id: 'x' })]),
      ),
      'no id in the result': talk(user('a'), model([call('read', {}, { id: 'x' })]), user([response()])),
    },
  },
  keys: {
    refused: {
      'an unknown field at the top': { ...hello, model: 'model-a' },
      'an Anthropic field': { ...hello, max_tokens: 5 },
      'an unknown field in a content': talk({ ...user('a'), name: 'x' }),
      'an unknown field in a part': talk(user([text('a', { type: 'text' })])),
      'an unknown field in a call': answered(call('read', {}, { index: 0 })),
      'an unknown field in a result': talk(user('a'), model([call()]), user([response('read', { isError: true })])),
      'an unknown field in data': talk(user([data('AAAA', 'image/png', { type: 'base64' })])),
      'an unknown field of the configuration': config({ maxTokens: 5 }),
      'an unknown field of thinking': config({ thinkingConfig: { budget: 5 } }),
      'an unknown field of a tool': { ...hello, tools: [{ functions: [] }] },
      'an unknown field of a declaration': tools(declaration('a', { input_schema: {} })),
      'an unknown field of the system instruction': instruction({ parts: [text('a')], text: 'b' }),
      'a cache mark in the system instruction': instruction({ parts: [text('a', { cache_control: {} })] }),
      'an unknown field of the tool configuration': { ...hello, toolConfig: { mode: 'AUTO' } },
      'an unknown field of a safety setting': { ...hello, safetySettings: [{ level: 'high' }] },
      'a request in a field': { generateContentRequest: hello },
    },
    accepted: {
      'fields of every kind': {
        ...hello,
        generationConfig: {
          maxOutputTokens: 5,
          temperature: 1,
          topP: 0.5,
          topK: 3,
          seed: 1,
          stopSequences: ['x'],
          responseMimeType: 'application/json',
          thinkingConfig: { includeThoughts: true, thinkingLevel: 'low' },
        },
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['a'] } },
        safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      },
      'the provider’s own tools': { ...hello, tools: [{ googleSearch: {} }, { codeExecution: {} }] },
      'the provider’s own parts': talk(
        user('a'),
        model([{ executableCode: { language: 'PYTHON', code: '1' } }, { codeExecutionResult: { outcome: 'OK' } }]),
        user('b'),
      ),
    },
  },
  input: {
    refused: {
      'no contents': { contents: [] },
      'contents that are missing': { generationConfig: {} },
      'a content that is a text': talk('a'),
      'a part that is a text': talk({ role: 'user', parts: ['a'] }),
      'a part without data': talk(user([{}])),
      'a part with a signature alone': talk(
        user('a'),
        model([{ thoughtSignature: 'skip_thought_signature_validator' }]),
        user('b'),
      ),
      'a part with two kinds of data': talk(user('a'), model([{ ...text('b'), ...call() }]), user([response()])),
      'a text that is a number': talk(user([text(5)])),
      'a thought that is perhaps': talk(user('a'), model([text('b', { thought: 'yes' })]), user('c')),
      'a call of the user': talk(user([call()])),
      'a result of the model': talk(user('a'), model([response()]), user('b')),
      'arguments in a text': answered(call('read', {}, { args: '{}' })),
      'arguments in a list': answered(call('read', {}, { args: [] })),
      'a call without a name': talk(user('a'), model([call('')]), user([response('')])),
      'an id that is a number': answered(call('read', {}, { id: 5 })),
      'a result without content': talk(user('a'), model([call()]), user([{ functionResponse: { name: 'read' } }])),
      'a result’s content that is a text': talk(
        user('a'),
        model([call()]),
        user([response('read', { response: 'r' })]),
      ),
      'no output at all': config({ maxOutputTokens: 0 }),
      'output that is no number': config({ maxOutputTokens: '5' }),
      'a temperature out of range': config({ temperature: 3 }),
      'six stop sequences': config({ stopSequences: ['1', '2', '3', '4', '5', '6'] }),
      'thinking on a level that isn’t': config({ thinkingConfig: { thinkingLevel: 'extreme' } }),
      'a budget below what stands for none': config({ thinkingConfig: { thinkingBudget: -2 } }),
      'a budget and a level': config({ thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } }),
      'a configuration in a list': { ...hello, generationConfig: [] },
      'a mode of calling that isn’t': { ...hello, toolConfig: { functionCallingConfig: { mode: 'auto' } } },
      'an image in the system instruction': instruction({ parts: [data('AAAA')] }),
      'a system instruction that is a text': { ...hello, systemInstruction: 'a' },
    },
    accepted: {
      'arguments of any depth': answered(call('read', {}, { args: { a: { b: [null] } } })),
      'a call without arguments': answered({ functionCall: { name: 'read' } }),
      'a result with any keys': talk(user('a'), model([call()]), user([response('read', { response: { x: [1] } })])),
      'thinking left to the model': config({ thinkingConfig: { thinkingBudget: -1 } }),
      'no thinking': config({ thinkingConfig: { thinkingBudget: 0, includeThoughts: false } }),
      'one token': config({ maxOutputTokens: 1 }),
      'five stop sequences': config({ stopSequences: ['1', '2', '3', '4', '5'] }),
    },
  },
  images: {
    refused: {
      'bad base64': talk(user([data('####')])),
      'no data': talk(user([data('')])),
      'an image of a kind that isn’t taken': talk(user([data('AAAA', 'image/gif')])),
      'no kind': talk(user([data('AAAA', '')])),
      'bad base64 in a result': talk(user('a'), model([call()]), user([response('read', { parts: [data('####')] })])),
    },
    accepted: {
      'an image': talk(user([data(Buffer.from('anything'))])),
      'base64 for URLs, without padding': talk(user([data('-_8')])),
      'a document': talk(user([data('AAAA', 'application/pdf')])),
      'an image in a result': talk(user('a'), model([call()]), user([response('read', { parts: [data('AAAA')] })])),
      'a file elsewhere': talk(user([{ fileData: { fileUri: 'https://a.invalid/b', mimeType: 'image/png' } }])),
    },
  },
  window: {
    refused: {
      'too much input': talk(user('x'.repeat(4 * 10_000))),
      'more than 20 MB': talk(user([data(Buffer.alloc(16 * megabyte))])),
    },
    accepted: {
      'input that just fits, whatever the output': {
        ...talk(user('x'.repeat(4 * 9_980))),
        generationConfig: { maxOutputTokens: 60_000 },
      },
      'an image, whatever its bytes': talk(user([data(Buffer.alloc(megabyte))])),
    },
  },
  marks: {
    refused: { 'a cache that isn’t there': { ...hello, cachedContent: 'cachedContents/a' } },
    accepted: { 'no cache': hello },
  },
  tools: {
    refused: {
      'a list that is none': { ...hello, tools: {} },
      'a tool without anything': { ...hello, tools: [{}] },
      'declarations that are no list': { ...hello, tools: [{ functionDeclarations: {} }] },
      'a declaration that is a text': tools('read'),
      'no name': tools({ description: 'x' }),
      'a name that begins with a digit': tools(declaration('1a')),
      'a name with a blank': tools(declaration('a b')),
      'a name of 65 characters': tools(declaration('a'.repeat(65))),
      'a name twice': tools(declaration('a'), declaration('a')),
      'a name twice, in two tools': {
        ...hello,
        tools: [{ functionDeclarations: [declaration('a')] }, { functionDeclarations: [declaration('a')] }],
      },
      'both forms of parameters': tools(
        declaration('a', {
          parameters: object({ b: { type: 'string' } }),
          parametersJsonSchema: object({ b: { type: 'string' } }),
        }),
      ),
      'parameters that are no object': parameters({ type: 'string' }),
      'parameters without a property': parameters(object({})),
      'parameters that are a text': parameters('{}'),
      ...Object.fromEntries(
        [
          { $ref: '#/$defs/b' },
          { $defs: {} },
          { additionalProperties: false },
          { const: 'x' },
          { oneOf: [] },
          { allOf: [] },
          { not: {} },
          { patternProperties: {} },
          { exclusiveMinimum: 0 },
          { $schema: 'https://json-schema.org/draft/2020-12/schema' },
        ].map((more) => [
          `${Object.keys(more)[0]} in the narrow dialect`,
          parameters(object({ a: { type: 'string', ...more } })),
        ]),
      ),
      'a list of types': property({ type: ['string', 'null'] }),
      'a type that isn’t': property({ type: 'text' }),
      'a list without items': property({ type: 'array' }),
      'an unknown word in items': property({ type: 'array', items: { type: 'string', const: 'x' } }),
      'an unknown word in an alternative': property({ anyOf: [{ type: 'string' }, { const: 'x' }] }),
      'numbers as values': property({ type: 'integer', enum: [1, 2] }),
      'an empty value': property({ type: 'string', enum: ['a', ''] }),
      'a format that isn’t': property({ type: 'string', format: 'uri' }),
      'a required property that isn’t': parameters(object({ a: { type: 'string' } }, { required: ['b'] })),
      'a JSON Schema of no object': jsonSchema({ type: 'string' }),
      'a JSON Schema that is none': jsonSchema({ type: 'object', properties: { a: 5 } }),
      'a JSON Schema with a bad list of what is required': jsonSchema({ type: 'object', required: 'a' }),
      'names allowed where nothing must be called': {
        ...hello,
        toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['a'] } },
      },
    },
    accepted: {
      'names of legal characters': tools(declaration('_a.b-C9'), declaration('a'.repeat(64))),
      'no parameters': tools(declaration('a', { description: 'x' })),
      'types in either case': parameters({
        type: 'OBJECT',
        properties: { a: { type: 'STRING', nullable: true }, b: { type: 'array', items: { type: 'Integer' } } },
        required: ['a'],
      }),
      'everything the narrow dialect has': property({
        title: 'x',
        description: 'x',
        anyOf: [
          { type: 'string', enum: ['a'], format: 'enum' },
          { type: 'number', minimum: 1, maximum: 2 },
          { type: 'array', items: { type: 'boolean' }, minItems: '1', maxItems: '2' },
          object({ b: { type: 'string', minLength: '1', pattern: '^a', default: 'a' } }, { propertyOrdering: ['b'] }),
        ],
      }),
      'properties named like words of the schema': parameters(object({ const: { type: 'string' } })),
      'all of JSON Schema': jsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          a: { type: ['string', 'null'], const: 'x' },
          b: { $ref: '#/$defs/b' },
          c: true,
          d: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer', exclusiveMinimum: 0 }] } },
        },
        required: ['a'],
        additionalProperties: false,
        $defs: { b: { type: 'string', enum: [1] } },
      }),
      'a JSON Schema without properties': jsonSchema({ type: 'object' }),
    },
  },
};
