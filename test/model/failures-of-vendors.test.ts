import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { classify, loadWire, wireNames, type ErrorAnswer, type ProviderFailure } from '../../src/model/index.ts';

const now = Date.parse('2026-11-12T10:00:00Z');
const wires = await Promise.all(wireNames.map(loadWire));

function failureOf(status: number | undefined, body: unknown, headers: ErrorAnswer['headers'] = {}): ProviderFailure {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = { ...(status === undefined ? {} : { status }), headers, body: text, now };
  const [first, ...others] = wires.map((wire) => wire.classify(answer));
  assert.ok(first !== undefined && others.length > 0);
  for (const other of others) assert.deepEqual(other, first, 'one classification for all wires');
  return first;
}

type Case = [name: string, status: number | undefined, body: unknown, expected: ProviderFailure['class']];

function table(cases: readonly Case[]): void {
  for (const [name, status, body, expected] of cases) {
    test(`${name}: ${expected}`, () => {
      const failure = failureOf(status, body);
      assert.equal(failure.class, expected, JSON.stringify(failure));
      assert.equal(failure.status, status);
      assert.ok(failure.message.length > 0);
    });
  }
}

const openai = (message: string, code: string | null = null, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
});
const google = (code: number, status: string, message: string, details: object[] = []) => ({
  error: { code, message, status, details },
});
const quotaFailure = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_requests', quotaId }],
});
const retryInfo = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });

describe('OpenAI', () => {
  table([
    ['a wrong key', 401, openai('Incorrect API key provided: sk-1.', 'invalid_api_key'), 'auth'],
    ['no such model', 404, openai('The model `gpt-9` does not exist.', 'model_not_found'), 'content'],
    ['a rate limit', 429, openai('Rate limit reached for gpt-6.', 'rate_limit_exceeded', 'tokens'), 'wait'],
    ['no money', 429, openai('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'), 'quota'],
    [
      'a hard limit of money',
      429,
      openai('Billing hard limit has been reached', 'billing_hard_limit_reached'),
      'quota',
    ],
    ['overload', 503, openai('Overloaded', 'server_is_overloaded', 'service_unavailable_error'), 'retryable'],
    ['an inner fault', 500, openai('The server had an error', null, 'server_error'), 'retryable'],
    ['too long, by its code', 400, openai('Too long.', 'context_length_exceeded'), 'overflow'],
    ['too long, by its words', 400, openai('Your input exceeds the context window of this model.'), 'overflow'],
    ['a prompt against its rules', 400, openai('Invalid prompt.', 'invalid_prompt'), 'content'],
    [
      'more output than there is',
      400,
      openai('max_tokens is too large: 99999. This model supports at most 16384 completion tokens.', 'invalid_value'),
      'content',
    ],
    ['a bad parameter', 400, openai("Unknown parameter: 'x'.", 'unknown_parameter'), 'content'],
    ['a country that isn’t served', 403, openai('Country not supported', 'unsupported_country'), 'auth'],
  ]);

  const inStream: Case[] = [
    ['an error event, flat', undefined, { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.' }, 'wait'],
    [
      'an error event, nested',
      undefined,
      { type: 'error', error: { type: 'server_error', message: 'x' } },
      'retryable',
    ],
    [
      'a failed response',
      undefined,
      { response: { status: 'failed', error: { code: 'server_error', message: 'x' } } },
      'retryable',
    ],
    [
      'a failed response that was too long',
      undefined,
      { response: { error: { code: 'context_length_exceeded', message: 'x' } } },
      'overflow',
    ],
    [
      'a failed response against the rules',
      undefined,
      { response: { error: { code: 'bio_policy', message: 'x' } } },
      'content',
    ],
    [
      'a failed response with an image that can’t be read',
      undefined,
      { response: { error: { code: 'image_parse_error', message: 'x' } } },
      'content',
    ],
    ['a failed response without a word', undefined, { response: { error: null } }, 'retryable'],
  ];
  table(inStream);
});

describe('limits for a time are no overflow, unless nothing that long ever passes', () => {
  const perMinute = (more: string) =>
    `Request too large for model \`m\` on tokens per minute (TPM): Limit 6000, ${more}, please reduce your message size.`;
  const tokens = (message: string) => openai(message, 'rate_limit_exceeded', 'tokens');
  table([
    [
      'tokens per minute',
      429,
      tokens('Rate limit reached on tokens per min (TPM): Limit 10000, Used 9000, Requested 2000.'),
      'wait',
    ],
    ['tokens per minute, told as too large', 413, tokens(perMinute('Used 5000, Requested 2000')), 'wait'],
    ['just as much as a minute allows', 413, tokens(perMinute('Requested 6000')), 'wait'],
    ['more than a minute allows', 413, tokens(perMinute('Requested 6001')), 'overflow'],
    ['more than a minute allows, at 429', 429, tokens(perMinute('Requested 7,246')), 'overflow'],
    ['tokens per day', 429, tokens('Rate limit reached on tokens per day (TPD): please reduce the length.'), 'wait'],
    ['requests per minute, as a bad request', 400, openai('Too many requests: 20 RPM.'), 'content'],
  ]);
});

describe('too long, in the words of everyone', () => {
  const words = [
    'prompt is too long: 210000 tokens > 200000 maximum',
    'Input is too long for requested model.',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'the request exceeds the available context size. try increasing the context size or enable context shift',
    'prompt too long; exceeded max context length by 12 tokens',
    'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens.',
    'The number of tokens to keep from the initial prompt is greater than the context length.',
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    'Please reduce the length of the messages or completion.',
    'Your request exceeded model token limit: 262144 (requested: 300000)',
    'Prompt exceeds max length',
    'prompt token count of 130000 exceeds the limit of 128000',
    '`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens',
  ];
  for (const message of words) {
    test(message.slice(0, 60), () => {
      for (const body of [openai(message), { error: message }, { object: 'error', message, code: 400 }, message]) {
        for (const status of [400, 500, undefined]) assert.equal(failureOf(status, body).class, 'overflow');
      }
      assert.equal(failureOf(429, openai(message)).class, 'wait', 'a rate limit stays one');
    });
  }

  table([
    [
      'a server that says so in a type',
      400,
      { error: { code: 400, message: 'x', type: 'exceed_context_size_error' } },
      'overflow',
    ],
    ['too large a body', 413, '<html><title>413</title></html>', 'overflow'],
    [
      'output for which the window has no room left',
      400,
      openai(
        "'max_tokens' is too large: 2000. This model's maximum context length is 4096 tokens (2000 > 4096 - 3000).",
      ),
      'overflow',
    ],
    [
      'output that the window never had',
      400,
      openai(
        "'max_tokens' is too large: 5000. This model's maximum context length is 4096 tokens (5000 > 4096 - 100).",
      ),
      'content',
    ],
    ['an output limit alone', 400, openai('`max_tokens` must be less than or equal to `8192`'), 'content'],
    ['a long name', 400, openai("Invalid 'tools[0].name': string too long. Expected at most 64."), 'content'],
  ]);
});

describe('Gemini', () => {
  const exhausted = (...details: object[]) =>
    google(
      429,
      'RESOURCE_EXHAUSTED',
      'You exceeded your current quota, please check your plan and billing details.',
      details,
    );
  table([
    [
      'a wrong key, as a bad request',
      400,
      google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'),
      'auth',
    ],
    [
      'a key that has expired, by its reason',
      400,
      google(400, 'INVALID_ARGUMENT', 'Sorry.', [{ reason: 'API_KEY_INVALID' }]),
      'auth',
    ],
    ['no permission', 403, google(403, 'PERMISSION_DENIED', 'No.'), 'auth'],
    ['a limit of a minute', 429, exhausted(quotaFailure('GenerateRequestsPerMinutePerProjectPerModel')), 'wait'],
    ['a limit of a day', 429, exhausted(quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier')), 'quota'],
    [
      'a limit of a day that names its end',
      429,
      exhausted(quotaFailure('GenerateRequestsPerDay'), retryInfo('30s')),
      'wait',
    ],
    ['overload', 503, google(503, 'UNAVAILABLE', 'The model is overloaded.'), 'retryable'],
    ['overload in a stream', undefined, google(503, 'UNAVAILABLE', 'The model is overloaded.'), 'retryable'],
    ['a limit in a stream, as a list', undefined, [exhausted()], 'wait'],
    ['too slow', 504, google(504, 'DEADLINE_EXCEEDED', 'Deadline expired.'), 'retryable'],
    ['an inner fault', 500, google(500, 'INTERNAL', 'Internal error.'), 'retryable'],
    ['a bad request', 400, google(400, 'INVALID_ARGUMENT', 'Invalid value at contents.'), 'content'],
    ['a bad request in a stream', undefined, google(400, 'INVALID_ARGUMENT', 'Invalid value at contents.'), 'content'],
    ['no such model', 404, google(404, 'NOT_FOUND', 'models/x is not found for API version v1beta.'), 'content'],
  ]);
});

describe('servers that imitate, gateways and others', () => {
  const openrouter = (code: number, message: string, metadata: object = {}) => ({ error: { code, message, metadata } });
  table([
    [
      'Mistral: a rate limit',
      429,
      { object: 'error', message: 'Requests rate limit exceeded', type: 'rate_limited', code: '1300' },
      'wait',
    ],
    [
      'Mistral: a validation',
      422,
      { detail: [{ loc: ['body', 'messages', 0], msg: 'Field required', type: 'missing' }] },
      'content',
    ],
    [
      'Mistral: a nested validation',
      422,
      { object: 'error', message: { detail: [{ loc: ['body'], msg: 'no' }] } },
      'content',
    ],
    ['Ollama: no such model', 404, { error: "model 'x' not found, try pulling it first" }, 'content'],
    ['Ollama: a crash', 500, { error: 'llama runner process has terminated' }, 'retryable'],
    [
      'llama.cpp: still loading',
      503,
      { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
      'retryable',
    ],
    [
      'vLLM: a bad request',
      400,
      { object: 'error', message: 'tools not supported', type: 'BadRequestError', code: 400 },
      'content',
    ],
    [
      'vLLM: a bad request in a stream',
      undefined,
      { object: 'error', message: 'tools not supported', type: 'BadRequestError', code: 400 },
      'content',
    ],
    ['OpenRouter: no credit', 402, openrouter(402, 'Insufficient credits'), 'quota'],
    ['OpenRouter: moderation', 403, openrouter(403, 'Your input was flagged', { reasons: ['x'] }), 'content'],
    ['OpenRouter: a limit, in an answer of success', undefined, openrouter(429, 'Rate limit exceeded'), 'wait'],
    [
      'OpenRouter: another provider’s fault in a stream',
      undefined,
      openrouter(502, 'Provider returned error'),
      'retryable',
    ],
    ['Groq: a call that is none', 400, openai('Failed to call a function.', 'tool_use_failed'), 'broken-stream'],
    [
      'xAI: no credit',
      429,
      { code: 'Some resource has been exhausted', error: 'Your team has used all available credits.' },
      'quota',
    ],
    ['DeepSeek: no balance', 402, openai('Insufficient Balance', 'invalid_request_error', 'unknown_error'), 'quota'],
    ['Azure: its filter', 400, openai('The response was filtered', 'content_filter', null as never), 'content'],
    ['a gateway without words', 502, '', 'retryable'],
    ['a proxy that wants a login', 407, '', 'auth'],
    ['a limit that only words tell', undefined, { error: 'rate limit exceeded' }, 'wait'],
    ['a redirect', 308, '', 'protocol'],
  ]);

  test('what the provider behind a gateway says is quoted and counts', () => {
    const raw = JSON.stringify(openai('Too long for me.', 'context_length_exceeded'));
    const failure = failureOf(400, openrouter(400, 'Provider returned error', { raw, provider_name: 'x' }));
    assert.equal(failure.class, 'overflow');
    assert.equal(failure.message, 'Provider returned error: Too long for me.');
    const plain = failureOf(502, openrouter(502, 'Provider returned error', { raw: 'upstream timed out' }));
    assert.equal(plain.message, 'Provider returned error: upstream timed out');
  });

  test('the words are found wherever they are', () => {
    const said: [unknown, string][] = [
      [{ detail: [{ loc: ['body', 'messages', 0], msg: 'Field required' }] }, 'body.messages.0: Field required'],
      [{ message: { detail: [{ msg: 'a' }, { msg: 'b' }] } }, 'a; b'],
      [{ error: { message: ['a', 'b'] } }, 'a; b'],
      [{ error: { code: 5 } }, '{"code":5}'],
      [{ error: {} }, 'HTTP 400 without a word.'],
      [{ error: [] }, 'HTTP 400 without a word.'],
      [{ error: 7 }, 'HTTP 400 without a word.'],
      ['[]', 'HTTP 400 without a word.'],
      ['null', 'null'],
    ];
    for (const [body, message] of said) assert.equal(failureOf(400, body).message, message);
  });

  test('an address that the server doesn’t know is told as what it may be', () => {
    assert.equal(failureOf(404, 'Not Found').message, 'Not Found. The server knows no such address or model.');
    assert.equal(failureOf(404, '').message, 'Not found. The server knows no such address or model.');
    assert.equal(failureOf(404, openai('The model `x` does not exist.')).message, 'The model `x` does not exist.');
  });

  test('nothing that a server sends is too much', () => {
    let nested: object = { message: 'x' };
    for (let depth = 0; depth < 400; depth += 1) nested = { error: { metadata: { raw: nested } } };
    const bodies = [
      nested,
      { error: { details: [null, 7, { violations: [null, { quotaId: 7 }] }] } },
      '['.repeat(60_000),
      { __proto__: null, error: { type: 7, code: {} } },
      [[[[[]]]]],
    ];
    for (const body of bodies) assert.ok(failureOf(400, body).message.length > 0);
    const long = `try again in ${'1'.repeat(60_000)}s ${'too large '.repeat(5_000)}`;
    assert.equal(failureOf(400, openai(long)).class, 'content');
  });
});

describe('how long to wait', () => {
  const limited = openai('Slow down.', 'rate_limit_exceeded', 'requests');
  const headerCases: [string, ErrorAnswer['headers'], number | undefined][] = [
    ['seconds', { 'x-ratelimit-reset-requests': '1s' }, 1_000],
    ['minutes and seconds', { 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
    ['milliseconds', { 'x-ratelimit-reset-requests': '20ms' }, 20],
    ['hours and minutes', { 'x-ratelimit-reset-requests': '1h2m' }, 3_720_000],
    ['parts of a second', { 'x-ratelimit-reset-tokens': '7.66s' }, 7_660],
    ['a bare number of seconds', { 'x-ratelimit-reset-tokens': '12.5' }, 12_500],
    ['seconds since the epoch', { 'x-ratelimit-reset': String(now / 1_000 + 9) }, 9_000],
    ['milliseconds since the epoch', { 'x-ratelimit-reset': String(now + 9_000) }, 9_000],
    ['a date', { 'x-ratelimit-reset': 'Thu, 12 Nov 2026 10:00:30 GMT' }, 30_000],
    ['the standard’s own header', { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, 30_000],
    ['what has passed', { 'x-ratelimit-reset': String(now / 1_000 - 9) }, 0],
    ['nonsense', { 'x-ratelimit-reset-requests': 'soon', 'x-ratelimit-reset-tokens': '1x' }, undefined],
    ['nothing', { 'x-ratelimit-remaining-requests': '0' }, undefined],
    [
      'the limit that is used up alone',
      {
        'x-ratelimit-remaining-requests': '499',
        'x-ratelimit-reset-requests': '6m0s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '40s',
      },
      40_000,
    ],
    ['retry-after first', { 'retry-after': '3', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }, 3_000],
    ['retry-after as a duration', { 'retry-after': '1m30s' }, 90_000],
  ];
  for (const [name, headers, expected] of headerCases) {
    test(`by headers: ${name}`, () => {
      const failure = failureOf(429, limited, headers);
      assert.equal(failure.wait, expected);
      assert.equal(failure.class, 'wait');
    });
  }

  const wordCases: [string, number | undefined][] = [
    ['Please try again in 1.2s.', 1_200],
    ['Please try again in 6m0s. Visit the page.', 360_000],
    ['Please try again in 1h12m3.4s.', 4_323_400],
    ['Please try again in 20ms.', 20],
    ['Please retry in 21.530879s.', 21_530.879],
    ['Please try again in 20 seconds.', 20_000],
    ['Please retry after some time. Try again in 3 minutes', 180_000],
    ['Try again in about 2 hours', 7_200_000],
    ['Please wait 15 seconds before the next', 15_000],
    ['Try again in 500 milliseconds', 500],
    ['The limit resets in 5m', 300_000],
    ['Try again in 5 months', undefined],
    ['Try again later', undefined],
    ['Try again in a while', undefined],
    ['I waited 5 minutes', undefined],
  ];
  for (const [message, expected] of wordCases) {
    test(`in words: ${message}`, () => {
      const { wait } = failureOf(429, openai(message, 'rate_limit_exceeded'));
      assert.equal(wait === undefined ? undefined : Math.round(wait * 1_000) / 1_000, expected);
    });
  }

  test('in the body: the delay of Gemini, the headers that OpenRouter repeats', () => {
    const told = (body: unknown) => failureOf(429, body).wait;
    assert.equal(told(google(429, 'RESOURCE_EXHAUSTED', 'x', [quotaFailure('PerMinute'), retryInfo('21s')])), 21_000);
    assert.equal(told(google(429, 'RESOURCE_EXHAUSTED', 'Please retry in 5s.', [retryInfo('21.5s')])), 21_500);
    assert.equal(told(google(429, 'RESOURCE_EXHAUSTED', 'x', [retryInfo('never')])), undefined);
    const headers = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': now + 7_000 };
    assert.equal(told({ error: { code: 429, message: 'x', metadata: { headers } } }), 7_000);
  });

  test('what passes and names its time is waited for, whatever it is; what doesn’t pass isn’t', () => {
    const overloaded = failureOf(503, openai('Overloaded'), { 'retry-after': '3' });
    assert.deepEqual([overloaded.class, overloaded.code, overloaded.wait], ['wait', 'provider-overloaded', 3_000]);
    const inner = failureOf(500, 'x', { 'retry-after': '3' });
    assert.deepEqual([inner.class, inner.wait], ['wait', 3_000]);
    assert.equal(failureOf(503, openai('Overloaded'), { 'x-ratelimit-reset-requests': '3s' }).class, 'retryable');
    const wrongKey = failureOf(401, openai('No'), { 'retry-after': '3' });
    assert.deepEqual([wrongKey.class, wrongKey.wait], ['auth', undefined]);
    const never = failureOf(429, limited, { 'x-should-retry': 'false' });
    assert.deepEqual([never.class, never.final], ['wait', true]);
  });
});

test('an error out of the middle of a stream is judged by the status that it names', () => {
  const complaint = { type: '', code: '', message: 'x', headers: {}, now };
  const judged = (inner?: number) => classify({ ...complaint, ...(inner === undefined ? {} : { inner }) });
  assert.deepEqual([judged(429).class, judged(429).status], ['wait', undefined]);
  assert.equal(judged(401).class, 'auth');
  assert.equal(judged(529).code, 'provider-overloaded');
  assert.equal(judged().class, 'retryable');
});
