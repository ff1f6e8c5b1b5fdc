import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadWire, type ErrorAnswer } from '../../src/model/index.ts';

const wire = await loadWire('anthropic');
const now = Date.parse('2026-11-12T10:00:00Z');

const body = (type: string, message = 'words', details?: object) =>
  JSON.stringify({ type: 'error', error: { type, message, ...(details ? { details } : {}) }, request_id: 'req_1' });

function classify(status: number | undefined, text: string, headers: ErrorAnswer['headers'] = {}) {
  return wire.classify({ ...(status === undefined ? {} : { status }), headers, body: text, now });
}

describe('the class and the code of an answer', () => {
  const cases: [string, number | undefined, string, string, string][] = [
    ['a wrong key', 401, body('authentication_error', 'invalid x-api-key'), 'auth', 'provider-auth'],
    ['no permission', 403, body('permission_error'), 'auth', 'provider-auth'],
    ['a page in place of permission', 403, '<html><title>Forbidden</title></html>', 'auth', 'provider-auth'],
    ['no credit', 402, body('billing_error'), 'quota', 'provider-quota'],
    [
      'no credit, as a bad request',
      400,
      body('invalid_request_error', 'Your credit balance is too low to access the API.'),
      'quota',
      'provider-quota',
    ],
    [
      'a limit of one’s own',
      400,
      body('invalid_request_error', 'You have reached your specified API usage limits.'),
      'quota',
      'provider-quota',
    ],
    [
      'an enforced spend limit',
      429,
      body('rate_limit_error', 'limit', { error_code: 'enforced_spend_limit_reached' }),
      'quota',
      'provider-quota',
    ],
    [
      'quota of another provider',
      429,
      JSON.stringify({
        error: { message: 'You exceeded your quota', type: 'insufficient_quota', code: 'insufficient_quota' },
      }),
      'quota',
      'provider-quota',
    ],
    [
      'a rate limit',
      429,
      body('rate_limit_error', 'Number of request tokens has exceeded your per-minute limit'),
      'wait',
      'rate-limited',
    ],
    ['a rate limit that speaks of tokens', 429, body('rate_limit_error', 'too many tokens'), 'wait', 'rate-limited'],
    ['a conflict', 409, body('conflict_error'), 'retryable', 'provider-error'],
    ['a time-out of the server', 408, '', 'retryable', 'provider-error'],
    ['overload', 529, body('overloaded_error', 'Overloaded'), 'retryable', 'provider-overloaded'],
    ['unavailable', 503, 'upstream connect error', 'retryable', 'provider-overloaded'],
    ['an inner fault', 500, body('api_error'), 'retryable', 'provider-error'],
    ['a bad gateway', 502, '<html><head><title>502 Bad Gateway</title></head></html>', 'retryable', 'provider-error'],
    ['a gateway’s time-out', 504, body('timeout_error'), 'retryable', 'provider-error'],
    [
      'too long',
      400,
      body('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      'overflow',
      'context-overflow',
    ],
    [
      'too long with its output',
      400,
      body('invalid_request_error', 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000'),
      'overflow',
      'context-overflow',
    ],
    [
      'too long elsewhere',
      400,
      JSON.stringify({ error: { message: 'x', code: 'context_length_exceeded' } }),
      'overflow',
      'context-overflow',
    ],
    ['too large', 413, body('request_too_large'), 'overflow', 'context-overflow'],
    ['too large for a gateway', 413, '<html><title>413</title></html>', 'overflow', 'context-overflow'],
    [
      'an invalid request',
      400,
      body('invalid_request_error', 'messages.3: unexpected tool_use_id'),
      'content',
      'provider-rejected',
    ],
    [
      'more output than there is',
      400,
      body('invalid_request_error', 'max_tokens: 99999 > 64000, which is the maximum allowed number of output tokens'),
      'content',
      'provider-rejected',
    ],
    ['an unknown model', 404, body('not_found_error', 'model: claude-x'), 'content', 'provider-rejected'],
    ['an unknown address', 404, 'Not Found', 'content', 'provider-rejected'],
    ['a redirect', 307, '', 'protocol', 'stream-invalid'],
    ['success without a reply', 204, '', 'protocol', 'stream-invalid'],
    ['an error in a success', undefined, body('overloaded_error'), 'retryable', 'provider-overloaded'],
    ['a wrong key in a success', undefined, body('authentication_error'), 'auth', 'provider-auth'],
  ];
  for (const [name, status, text, expectedClass, code] of cases) {
    test(name, () => {
      const failure = classify(status, text);
      assert.deepEqual([failure.class, failure.code, failure.status], [expectedClass, code, status]);
      assert.equal(failure.final, undefined);
    });
  }

  test('the server’s word on trying again is obeyed where it can matter', () => {
    const retry = { 'x-should-retry': 'true' };
    const never = { 'x-should-retry': 'false' };
    assert.equal(classify(500, body('api_error'), never).final, true);
    assert.equal(classify(400, body('invalid_request_error'), retry).class, 'retryable');
    assert.equal(classify(401, body('authentication_error'), retry).class, 'auth');
    assert.equal(classify(413, '', retry).class, 'overflow');
    assert.equal(classify(500, body('api_error'), retry).final, undefined);
  });

  test('a spend limit that names the time is waited out', () => {
    const text = body('rate_limit_error', 'limit', { error_code: 'enforced_spend_limit_reached' });
    assert.deepEqual(classify(429, text, { 'retry-after': '5' }).class, 'wait');
  });

  test('the words are the provider’s own', () => {
    assert.equal(classify(400, body('invalid_request_error', 'messages.3: no')).message, 'messages.3: no');
    assert.equal(classify(500, 'upstream is down').message, 'upstream is down');
    assert.equal(classify(500, '').message, 'HTTP 500 without a word.');
    assert.equal(classify(400, '{"detail":"Not good"}').message, 'Not good');
    assert.equal(classify(400, '{"error":"Just words"}').message, 'Just words');
    assert.match(
      classify(308, '', { location: 'https://elsewhere.example/' }).message,
      /redirects to https:\/\/elsewhere\.example\/.*key/,
    );
  });
});

describe('how long a provider asks to wait', () => {
  const wait = (headers: ErrorAnswer['headers'], status = 429) =>
    classify(status, body('rate_limit_error'), headers).wait;
  const limits = (name: string, reset: string, remaining?: string) => ({
    [`anthropic-ratelimit-${name}-reset`]: reset,
    ...(remaining === undefined ? {} : { [`anthropic-ratelimit-${name}-remaining`]: remaining }),
  });

  const cases: [string, ErrorAnswer['headers'], number | undefined][] = [
    ['nothing', {}, undefined],
    ['seconds', { 'retry-after': '4' }, 4_000],
    ['parts of a second', { 'retry-after': '0.5' }, 500],
    ['a date', { 'retry-after': 'Thu, 12 Nov 2026 10:01:30 GMT' }, 90_000],
    ['a date that has passed', { 'retry-after': 'Thu, 12 Nov 2026 09:00:00 GMT' }, 0],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
    ['milliseconds first', { 'retry-after-ms': '250', 'retry-after': '4' }, 250],
    ['nonsense in milliseconds', { 'retry-after-ms': 'x', 'retry-after': '4' }, 4_000],
    ['less than nothing', { 'retry-after': '-3' }, 0],
    [
      'the limit that is used up',
      { ...limits('requests', '2026-11-12T10:00:20Z', '5'), ...limits('tokens', '2026-11-12T10:00:40Z', '0') },
      40_000,
    ],
    [
      'of two used up the later',
      { ...limits('input-tokens', '2026-11-12T10:00:20Z', '0'), ...limits('tokens', '2026-11-12T10:00:40Z', '0') },
      40_000,
    ],
    [
      'of none used up the first',
      { ...limits('requests', '2026-11-12T10:00:20Z', '5'), ...limits('tokens', '2026-11-12T10:00:40Z', '7') },
      20_000,
    ],
    ['seconds since the epoch', limits('unified', String(now / 1_000 + 7)), 7_000],
    ['retry-after before the limits', { 'retry-after': '1', ...limits('tokens', '2026-11-12T10:00:40Z', '0') }, 1_000],
  ];
  for (const [name, headers, expected] of cases) {
    test(name, () => assert.equal(wait(headers), expected));
  }

  test('limits are only meant where they were hit', () => {
    const headers = limits('tokens', '2026-11-12T10:00:40Z', '0');
    assert.equal(classify(529, body('overloaded_error'), headers).wait, undefined);
    assert.equal(classify(529, body('overloaded_error'), { 'retry-after': '3' }).wait, 3_000);
    assert.equal(classify(401, body('authentication_error'), { 'retry-after': '3' }).wait, undefined);
  });
});
