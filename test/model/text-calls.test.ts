import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject, ToolSpec } from '../../src/core/index.ts';
import { loadWire, type DecodedReply } from '../../src/model/index.ts';
import { orderFor } from './orders.ts';

const wire = await loadWire('openai-chat');
const schema: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer' },
    all: { type: ['boolean', 'null'] },
    tags: { type: 'array' },
    any: {},
  },
};
const tools: ToolSpec[] = ['read', 'edit', 'files.read'].map((name) => ({ name, description: '', input: schema }));

interface Extras {
  profile?: string;
  reason?: string | null;
  /** A call in the protocol's own form, with these arguments. */
  real?: string;
}

function replyTo(content: string, { profile = 'ollama', reason = 'stop', real }: Extras = {}): DecodedReply {
  const { target } = orderFor(wire, [], { profile });
  const decoder = wire.decoder(() => undefined, { target, tools });
  const calls = [{ index: 0, id: 'a', function: { name: 'read', arguments: real ?? '' } }];
  const delta = { content, ...(real === undefined ? {} : { tool_calls: calls }) };
  decoder.push({ data: JSON.stringify({ choices: [{ delta, finish_reason: reason }] }) });
  decoder.push({ data: '[DONE]' });
  const outcome = decoder.end();
  assert.ok(outcome.kind === 'reply', JSON.stringify(outcome));
  return outcome.reply;
}

/** A reply in short: its text, its calls as name and arguments, what was mended. */
function read(content: string, extras?: Extras) {
  const { parts, repairs } = replyTo(content, extras);
  const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
  const calls = parts.flatMap((part) => {
    return part.type === 'call' ? [[part.name, part.malformed ?? JSON.stringify(part.arguments)]] : [];
  });
  return { text, calls, ...(repairs === undefined ? {} : { repairs }) };
}

const isText = (content: string, extras?: Extras) =>
  assert.deepEqual(read(content, extras), { text: content, calls: [] }, content);
const one = [['read', '{"path":"a"}']];
const json = '{"name":"read","arguments":{"path":"a"}}';

describe('a call that is the whole text', () => {
  const forms: { [name: string]: string } = {
    object: json,
    'object over lines': '\n{\n  "name": "read",\n  "arguments": {"path": "a"}\n}\n',
    'object with parameters': '{"name":"read","parameters":{"path":"a"}}',
    'object of the protocol': `{"id":"x","type":"function","function":${json}}`,
    'object with the function as name': '{"function":"read","arguments":{"path":"a"}}',
    'object with arguments as text': '{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}',
    list: `[${json}]`,
    'object of calls': `{"tool_calls":[${json}]}`,
    fence: `\`\`\`json\n${json}\n\`\`\``,
    'fence without a word': `\`\`\`\n${json}\n\`\`\`\n`,
    'fence of tildes': `~~~\n${json}\n~~~`,
    tag: `<tool_call>\n${json}\n</tool_call>`,
    'tag in a fence': `\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\``,
    function: '<function=read>{"path":"a"}</function>',
    'function with parameters': '<function=read>\n<parameter=path>\na\n</parameter>\n</function>',
    'function in a tag': '<tool_call>\n<function=read>\n<parameter=path>a</parameter>\n</function>\n</tool_call>',
  };
  for (const [name, form] of Object.entries(forms)) {
    test(name, () => {
      assert.deepEqual(read(form), { text: '', calls: one });
    });
  }

  test('has an id, the tool’s own name, and makes the reply one of calls', () => {
    const reply = replyTo('{"name":"files_read","arguments":{}}');
    assert.deepEqual(reply.parts, [{ type: 'call', id: 'call_1', name: 'files.read', arguments: {} }]);
    assert.equal(reply.stop, 'calls');
  });

  test('needs no arguments between its tags', () => {
    assert.deepEqual(read('<function=read>\n</function>').calls, [['read', '{}']]);
  });
});

describe('several calls', () => {
  const second = '{"name":"edit","arguments":{}}';
  const two = [...one, ['edit', '{}']];

  test('stand one after the other, in any form', () => {
    for (const text of [
      `${json}\n${second}`,
      `[${json},${second}]`,
      `\`\`\`\n${json}\n${second}\n\`\`\``,
      `<tool_call>${json}</tool_call><tool_call>${second}</tool_call>`,
      `<tool_call>${json}</tool_call>\n\n\`\`\`json\n${second}\n\`\`\``,
      `<function=read>{"path":"a"}</function>\n${second}`,
    ]) {
      assert.deepEqual(read(text), { text: '', calls: two }, text);
    }
  });

  test('of which one names no tool are none', () => {
    const unknown = '{"name":"fly","arguments":{}}';
    for (const text of [`${json}\n${unknown}`, `${unknown}\n${json}`, `[${json},${unknown}]`]) isText(text);
    isText(`<tool_call>${unknown}</tool_call>\n<tool_call>${json}</tool_call>`);
    isText(`<function=fly>{}</function>\n<function=read>{}</function>`);
  });
});

describe('text around calls', () => {
  test('stays, where the calls stand alone at its end', () => {
    for (const form of [json, `\`\`\`json\n${json}\n\`\`\``, `<tool_call>${json}</tool_call>`]) {
      assert.deepEqual(read(`I look at {it}.\n\n${form}\n`), { text: 'I look at {it}.', calls: one });
    }
  });

  test('after them makes them an example', () => {
    for (const form of [json, `\`\`\`json\n${json}\n\`\`\``, `<tool_call>${json}</tool_call>`]) {
      isText(`${form}\n\nThat is how one reads a file.`);
      isText(`So:\n${form}\nand then\n${form}\nlike that.`);
    }
  });

  test('on the same line makes them an example, too', () => {
    isText(`Use ${json}`);
    isText(`Use <tool_call>${json}</tool_call>`);
    isText(`Use \`${json}\``);
    isText(`${json} reads a file.`);
    isText(`- ${json}`);
  });

  test('an example before calls stays text', () => {
    const example = `\`\`\`json\n${json}\n\`\`\`\nis what I send:`;
    assert.deepEqual(read(`${example}\n\n${json}`), { text: example, calls: one });
  });

  test('that announces an example makes them one', () => {
    for (const words of [
      'For example:',
      'e.g.',
      'Here is a sample call',
      'To read it I would send:',
      'Two\n\nexamples:',
    ]) {
      isText(`${words}\n\n${json}`);
      isText(`${words}\n\`\`\`json\n${json}\n\`\`\``);
    }
    assert.deepEqual(read(`I saw the examples.\nNow I look.\n${json}`).calls, one);
  });

  test('calls inside of other code are code', () => {
    isText(`\`\`\`\`\n\`\`\`\n${json}`);
    isText(`${'`'.repeat(1_000_000)}\n${json}`);
    isText(`\`\`\`js\nconst call = 1;\n${json}\n\`\`\``);
    isText(`{"steps":[${json}]}`);
    isText(`\`\`\`json\n${json}\nor so\n\`\`\``);
    isText(`\`\`\`\n${json}`);
  });
});

describe('what only looks like a call', () => {
  test('is text', () => {
    isText('{"name":"fly","arguments":{}}');
    isText('{"name":"read"}');
    isText('{"name":"read","arguments":[1]}');
    isText('{"name":"read","arguments":{},"description":"Reads."}');
    isText('{"name":"read","arguments":{},"parameters":{}}');
    isText('{"name":"read","function":"edit","arguments":{}}');
    isText('{"arguments":{"path":"a"}}');
    isText('["read",{"path":"a"}]');
    isText('[]');
    isText('<function=fly>{}</function>');
    isText('<function=>{}</function>');
    isText('<tool_call></tool_call>');
    isText('<tool_call>read a</tool_call>');
    isText('<function=read><parameter=path>a</parameter><parameter=path>b</parameter></function>');
    isText('__proto__');
  });

  test('is text where the profile doesn’t ask for calls in text', () => {
    const local = ['vllm', 'sglang', 'llama-cpp', 'ollama', 'lm-studio'];
    for (const profile of local) assert.deepEqual(read(json, { profile }).calls, one);
    for (const profile of ['plain', 'openai', 'deepseek', 'mistral', 'groq', 'xai', 'openrouter']) {
      isText(json, { profile });
    }
  });

  test('is text beside a real call', () => {
    assert.deepEqual(read(json, { real: '{"path":"b"}' }), { text: json, calls: [['read', '{"path":"b"}']] });
  });

  test('is text in a reply that didn’t end by itself', () => {
    for (const reason of ['length', 'content_filter', 'model_length', 'invented', null]) isText(json, { reason });
    assert.deepEqual(read(json, { reason: 'tool_calls' }).calls, one);
  });

  test('is no call in the reasoning', () => {
    const { parts } = replyTo(`<think>${json}</think>Done.`);
    assert.deepEqual(
      parts.map(({ type }) => type),
      ['thinking', 'text'],
    );
    assert.deepEqual(read(`<think>Hm.</think>\n${json}`).calls, one);
  });
});

describe('values between tags', () => {
  const parameters = (values: { [name: string]: string }) => {
    const list = Object.entries(values).map(([name, value]) => `<parameter=${name}>${value}</parameter>`);
    return read(`<function=read>\n${list.join('\n')}\n</function>`);
  };

  test('are text, but for what the schema wants otherwise', () => {
    const given = { path: '5', limit: '5', all: 'true', tags: '["x"]', any: '5' };
    assert.deepEqual(parameters(given).calls, [['read', '{"path":"5","limit":5,"all":true,"tags":["x"],"any":"5"}']]);
    assert.deepEqual(parameters({ limit: 'five', tags: '[1', all: '1,"value":2' }).calls, [
      ['read', '{"limit":"five","tags":"[1","all":"1,\\"value\\":2"}'],
    ]);
  });

  test('lose one line break at either end, and no more', () => {
    assert.deepEqual(parameters({ path: '\n\n a\n\n' }).calls, [['read', '{"path":"\\n a\\n"}']]);
  });

  test('may hold tags themselves', () => {
    const path = 'a</parameter> <parameter> </function> <tool_call>';
    assert.deepEqual(parameters({ path }).calls, [['read', JSON.stringify({ path })]]);
  });

  test('may be written as Python has it, which is told', () => {
    assert.deepEqual(parameters({ all: 'True' }), {
      text: '',
      calls: [['read', '{"all":true}']],
      repairs: [{ call: 0, what: '"True" for true' }],
    });
  });
});

/** What becomes of the arguments of a real call. */
const mended = (real: string, profile = 'ollama') => {
  const { calls, repairs = [] } = read('', { real, profile });
  return [calls[0]?.[1], repairs.map(({ what }) => what)];
};

function strictly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not right
  }
}

describe('nearly right arguments', () => {
  test('are mended where that can’t change what they mean, and it is told', () => {
    const table: [string, string, string[]][] = [
      ['{"a":1,}', '{"a":1}', ['a comma before a closing bracket']],
      ['{"a":[1,2 ,\n],}', '{"a":[1,2]}', ['a comma before a closing bracket']],
      ['{"a":"x\ny\tz"}', '{"a":"x\\ny\\tz"}', ['line breaks or tabs in a string']],
      [
        '{"a":True,"b":[False,None]}',
        '{"a":true,"b":[false,null]}',
        ['"True" for true', '"False" for false', '"None" for null'],
      ],
      ['{"a":1}\n```', '{"a":1}', ['"```" after it']],
      ['{"a":1}</tool_call>', '{"a":1}', ['"</tool_call>" after it']],
      ['```json\n{"a":1}\n```', '{"a":1}', ['a fence around it']],
    ];
    for (const [raw, result, repairs] of table) assert.deepEqual(mended(raw), [result, repairs], raw);
  });

  test('stay as they are where nothing is wrong with them', () => {
    for (const raw of ['{"a":"True, ]"}', '{"a":",}"}', '{}']) assert.deepEqual(mended(raw), [raw, []], raw);
  });

  test('stay malformed where more would be needed', () => {
    for (const raw of [
      '{"a":1',
      '{"a":"x',
      '{"a":"x}',
      '{"a":[1,2}',
      '{"a":1}}',
      '{"a":1} {"b":2}',
      '{"a":1} and so on',
      '```json\n{"a":1}',
      '{"a":,}',
      '{,}',
      '{"a":[,]}',
      '{"a":1,,}',
      "{'a':1}",
      '{a:1}',
      '{"a":NaN}',
      '{"a":"\\x"}',
      '{"a":"x\\\ny"}',
      '[1,]',
      '"{}"',
    ]) {
      assert.deepEqual(mended(raw), [raw, []], raw);
    }
  });

  test('of a profile that doesn’t ask for it are not mended', () => {
    assert.deepEqual(mended('{"a":1,}', 'openai'), ['{"a":1,}', []]);
  });

  test('that are cut anywhere are never whole', () => {
    const whole = '{"path": "a\nb", "tags": [True, {"x": "}]"},], "limit": 5,}';
    for (let end = 1; end < whole.length; end += 1) {
      assert.deepEqual(mended(whole.slice(0, end)), [whole.slice(0, end), []]);
    }
    assert.equal(mended(whole)[0], '{"path":"a\\nb","tags":[true,{"x":"}]"}],"limit":5}');
  });

  test('that were right come out as they went in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (value, indent) => {
        const raw = JSON.stringify(value, null, indent);
        assert.deepEqual(mended(raw), [JSON.stringify(JSON.parse(raw)), []]);
        // Made wrong in ways that may be mended, they are the same again.
        const [text] = mended(`${raw.replace(/\}$/, Object.keys(value).length > 0 ? ',}' : '}')}\n\`\`\``);
        assert.equal(text, JSON.stringify(JSON.parse(raw)));
      }),
    );
  });

  test('that any strict reader takes are never touched', () => {
    const characters = fc.string({
      unit: fc.constantFrom(...Array.from('{}[]":,\\\n\t 1e-TrueFalsNo`x')),
      maxLength: 12,
    });
    const list = fc.array(characters, { minLength: 1, maxLength: 3 }).map((pieces) => `{"a":${pieces.join('')}}`);
    fc.assert(
      fc.property(
        fc.oneof(
          list,
          fc.json().map((json) => `{"a":${json}}`),
        ),
        (raw) => {
          const right = strictly(raw);
          const [given, repairs] = mended(raw);
          if (right !== undefined) assert.deepEqual([given, repairs], [JSON.stringify(right), []]);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('in text are mended as well', () => {
    assert.deepEqual(read('<tool_call>{"name":"read","arguments":{"path":"a",},}</tool_call>'), {
      text: '',
      calls: one,
      repairs: [{ call: 0, what: 'a comma before a closing bracket' }],
    });
    assert.deepEqual(read(`${json}\n<tool_call>${json}`), {
      text: '',
      calls: [...one, ...one],
      repairs: [{ call: 1, what: 'a closing tag that was missing' }],
    });
    assert.deepEqual(read('<function=read>{"path":"a"}').repairs, [
      { call: 0, what: 'a closing tag that was missing' },
    ]);
  });

  test('between tags that can’t be mended are a malformed call, if it is known which', () => {
    const broken = '{"path":"a}';
    assert.deepEqual(read(`<tool_call>{"name":"read","arguments":${broken}}</tool_call>`).calls, [
      ['read', `${broken}}`],
    ]);
    assert.deepEqual(read(`<function=read>${broken}</function>`).calls, [['read', broken]]);
    isText(`<tool_call>{"name":"fly","arguments":${broken}}</tool_call>`);
    isText(`{"name":"read","arguments":${broken}}`);
    isText(`<tool_call>{"name":"read","arguments":${broken}}`);
    isText(`<function=read>${broken}`);
    isText('<function=read><parameter=path>a</parameter>');
  });
});

describe('hostile text', () => {
  const bits = [json, '{', '}', '[', ']', '"', '\\', '\n', '```', '```json\n', '~~~\n', '<tool_call>', '</tool_call>'];
  const more = ['<function=read>', '</function>', '<parameter=path>', '</parameter>', ' ', ',', 'a', '{"name":"read",'];

  test('never makes it throw or lose a word', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...bits, ...more), { minLength: 1, maxLength: 30 }), (pieces) => {
        const content = `A. ${pieces.join('')}`;
        const { text, calls } = read(content);
        assert.ok(calls.length > 0 ? content.startsWith(text) : text === content);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is given up before it takes the square of its length', () => {
    const openings = [
      '{\n',
      '[\n',
      '{"a":[\n',
      '<tool_call>{}\n',
      '<tool_call>\n',
      '<function=read>\n',
      '<function=read>{}\n',
    ];
    const others = ['```\n{\n', '~~~\n<tool_call>\n', '<function=read><parameter=path>\n', '<function=read>{"a":"\n'];
    for (const part of [...openings, ...others, '`\n', `${json} x\n`]) {
      const content = `A.\n${part.repeat(200_000)}`.slice(0, 1_900_000);
      assert.equal(read(content).text.length, content.length);
    }
  });
});
