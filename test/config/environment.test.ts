import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandEnvironment, readEnvironment, readKey } from '../../src/config/index.ts';

test('proxies are read in both cases, lower case first, and ALL_PROXY stands in', () => {
  const proxies = (env: { [name: string]: string }) => readEnvironment(env).proxies;
  assert.deepEqual(proxies({}), {});
  assert.deepEqual(proxies({ HTTP_PROXY: 'a', https_proxy: 'b', HTTPS_PROXY: 'c', NO_PROXY: 'd' }), {
    http: 'a',
    https: 'b',
    no: 'd',
  });
  assert.deepEqual(proxies({ all_proxy: 'a', HTTPS_PROXY: 'b' }), { http: 'a', https: 'b' });
  assert.deepEqual(proxies({ HTTPS_PROXY: '', no_proxy: '' }), {});
});

test('colour and continuous integration', () => {
  const read = (env: { [name: string]: string }) => [readEnvironment(env).color, readEnvironment(env).ci];
  assert.deepEqual(read({}), [true, false]);
  assert.deepEqual(read({ NO_COLOR: '', CI: '' }), [true, false]);
  assert.deepEqual(read({ NO_COLOR: '0', CI: 'true' }), [false, true]);
  assert.deepEqual(read({ CI: 'false' }), [true, false]);
});

test('a blank key is none, and blanks around one are dropped', () => {
  assert.equal(readKey('KEY', { KEY: ' \n' }), undefined);
  assert.equal(readKey('KEY', {}), undefined);
  assert.equal(readKey('KEY', { KEY: 'sk-1\n' }), 'sk-1');
});

test('the environment for commands is a copy with every variable', () => {
  const env = { A: '1', B: undefined, __proto__x: '2' };
  const copy = commandEnvironment(env);
  assert.deepEqual(copy, { A: '1', __proto__x: '2' });
  copy['A'] = 'changed';
  assert.equal(env.A, '1');
});
