/** What the strict mode says to conversations. */
import { assistant, call, hello, result, talk, text, user, type Cases } from './request-parts.ts';

export const conversationCases: Cases = {
  text: {
    refused: {
      'half a surrogate pair in a text': talk(user('a\ud83d')),
      'half a surrogate pair in arguments': talk(
        user('a'),
        assistant([call('t', { input: { a: ['\udc00'] } })]),
        user([result('t')]),
      ),
      'half a surrogate pair in a key': talk(
        user('a'),
        assistant([call('t', { input: { '\ud83d': 1 } })]),
        user([result('t')]),
      ),
    },
    accepted: {
      'a whole surrogate pair': talk(user('a\ud83d\udc69')),
      'a NUL and a lone BOM': talk(user('a\0\ufeff')),
    },
  },
  roles: {
    refused: {
      'the model first': talk(assistant('a'), user('b')),
      'the model last': talk(user('a'), assistant('b')),
      'a system message': talk(user('a'), { role: 'system', content: 'b' }, user('c')),
      'another role': talk({ role: 'tool', content: 'a' }),
    },
    accepted: {
      'turns in their order': talk(user('a'), assistant('b'), user('c')),
      'neighbours of one role': talk(user('a'), user('b'), assistant('c'), assistant('d'), user('e')),
    },
  },
  blank: {
    refused: {
      'an empty message': talk(user('')),
      'no blocks': talk(user([])),
      'an empty text': talk(user([text('')])),
      'a blank text': talk(user([text(' \n\t')])),
      'a blank text of the model': talk(user('a'), assistant([text(' '), call('t')]), user([result('t')])),
      'a blank text after results': talk(user('a'), assistant([call('t')]), user([result('t'), text(' ')])),
      'a blank text in a result': talk(user('a'), assistant([call('t')]), user([result('t', { content: [text('')] })])),
      'an error without a word': talk(
        user('a'),
        assistant([call('t')]),
        user([result('t', { content: '', is_error: true })]),
      ),
      'an error without blocks': talk(
        user('a'),
        assistant([call('t')]),
        user([result('t', { content: [], is_error: true })]),
      ),
      'a blank system prompt': { ...hello, system: ' ' },
      'a blank layer of the system prompt': { ...hello, system: [text('a'), text('')] },
      'no layer of the system prompt': { ...hello, system: [] },
    },
    accepted: {
      'text with blanks around it': talk(user([text(' a ')])),
      'an empty result': talk(user('a'), assistant([call('t')]), user([result('t', { content: '' })])),
      'a result without content': talk(
        user('a'),
        assistant([call('t')]),
        user([{ type: 'tool_result', tool_use_id: 't' }]),
      ),
      'a call without a word': talk(user('a'), assistant([call('t')]), user([result('t')])),
      'layers of the system prompt': { ...hello, system: [text('a'), text('b')] },
    },
  },
  results: {
    refused: {
      'a call without result': talk(user('a'), assistant([call('t')]), user('b')),
      'one of two without result': talk(user('a'), assistant([call('t'), call('u')]), user([result('t')])),
      'two results': talk(user('a'), assistant([call('t')]), user([result('t'), result('t')])),
      'text before results': talk(user('a'), assistant([call('t')]), user([text('b'), result('t')])),
      'text between results': talk(
        user('a'),
        assistant([call('t'), call('u')]),
        user([result('t'), text('b'), result('u')]),
      ),
      'text before results in a message of its own': talk(
        user('a'),
        assistant([call('t')]),
        user('b'),
        user([result('t')]),
      ),
    },
    accepted: {
      'results, then text': talk(
        user('a'),
        assistant([call('t'), call('u')]),
        user([result('t'), result('u'), text('b')]),
      ),
      'results in another order': talk(user('a'), assistant([call('t'), call('u')]), user([result('u'), result('t')])),
      'results over two messages': talk(
        user('a'),
        assistant([call('t'), call('u')]),
        user([result('t')]),
        user([result('u')]),
      ),
      'text after results in a message of its own': talk(
        user('a'),
        assistant([call('t')]),
        user([result('t')]),
        user('b'),
      ),
      'a call before its text': talk(user('a'), assistant([call('t'), text('b')]), user([result('t')])),
    },
  },
  'orphan-results': {
    refused: {
      'a result without call': talk(user([result('t')])),
      'a result of another call': talk(user('a'), assistant([call('t')]), user([result('t'), result('u')])),
      'a result of an earlier call': talk(
        user('a'),
        assistant([call('t')]),
        user([result('t')]),
        assistant('b'),
        user([result('t')]),
      ),
    },
    accepted: { 'a result of its call': talk(user('a'), assistant([call('t')]), user([result('t')])) },
  },
  ids: {
    refused: {
      'an id with a dot': talk(user('a'), assistant([call('t.1')]), user([result('t.1')])),
      'an empty id': talk(user('a'), assistant([call('')]), user([result('')])),
      'an id twice in a reply': talk(user('a'), assistant([call('t'), call('t')]), user([result('t')])),
      'an id again later': talk(
        user('a'),
        assistant([call('t')]),
        user([result('t')]),
        assistant([call('t')]),
        user([result('t')]),
      ),
    },
    accepted: {
      'ids of legal characters': talk(
        user('a'),
        assistant([call('call_A-9'), call('call_a-9')]),
        user([result('call_A-9'), result('call_a-9')]),
      ),
    },
  },
  input: {
    refused: {
      'arguments in a text': talk(user('a'), assistant([call('t', { input: '{}' })]), user([result('t')])),
      'arguments in a list': talk(user('a'), assistant([call('t', { input: [] })]), user([result('t')])),
      'a call without a legal name': talk(
        user('a'),
        assistant([call('t', { name: 'read file' })]),
        user([result('t')]),
      ),
      'a call of the user': talk(user([call('t')])),
      'a result of the model': talk(user('a'), assistant([result('t')]), user('b')),
      'an unknown block': talk(user([{ type: 'mood', mood: 'good' }])),
      'a block of a prototype’s name': talk(user([{ type: 'constructor' }])),
      'content that is a number': talk(user(5)),
      'no messages': { messages: [] },
      'no model': { ...hello, model: '' },
      'output that is no number': { ...hello, max_tokens: '5' },
      'a stream that is perhaps': { ...hello, stream: 'yes' },
      'thinking that is too short': { ...hello, max_tokens: 5000, thinking: { type: 'enabled', budget_tokens: 1023 } },
      'thinking that is too long': { ...hello, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      'a result’s content that is an object': talk(
        user('a'),
        assistant([call('t')]),
        user([result('t', { content: {} })]),
      ),
      'a call in a result': talk(user('a'), assistant([call('t')]), user([result('t', { content: [call('u')] })])),
      'an error that is perhaps': talk(user('a'), assistant([call('t')]), user([result('t', { is_error: 'no' })])),
    },
    accepted: {
      'arguments of any depth': talk(
        user('a'),
        assistant([call('t', { input: { a: { b: [null] } } })]),
        user([result('t')]),
      ),
      'a provider’s own calls': talk(
        user('a'),
        assistant([
          { type: 'server_tool_use', id: 's', name: 'search', input: {} },
          { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
          text('b'),
        ]),
        user('c'),
      ),
      'a document': talk(user([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } }])),
      'no output at all': { ...hello, max_tokens: 0 },
      'thinking within its bounds': { ...hello, max_tokens: 2001, thinking: { type: 'enabled', budget_tokens: 2000 } },
    },
  },
};
