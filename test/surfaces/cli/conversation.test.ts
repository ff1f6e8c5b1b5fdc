import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test, type TestContext } from 'node:test';
import { Pastes, pasteOff, pasteOn } from '../../../src/surfaces/cli/conversation/keyboard.ts';
import { optionsNow } from '../../../src/surfaces/cli/conversation/options-now.ts';
import { Presses } from '../../../src/surfaces/cli/conversation/presses.ts';
import { Prompt } from '../../../src/surfaces/cli/conversation/prompt.ts';
import { commands, helpLines, meaningOf, Message } from '../../../src/surfaces/cli/conversation/typed.ts';
import { createTerminalApprover } from '../../../src/surfaces/cli/question.ts';
import { plainStyle } from '../../../src/surfaces/cli/render/index.ts';
import { never } from './stream-terminal.ts';

describe('what is typed', () => {
  test('goes on in the next line after a backslash, and loses only that', () => {
    const message = new Message();
    assert.equal(message.take('one'), 'one');
    assert.equal(message.take('one\\'), undefined);
    assert.ok(message.isOpen);
    assert.equal(message.take('two \\\\'), undefined);
    assert.equal(message.take(''), 'one\ntwo \\\n');
    assert.ok(!message.isOpen);
    message.take('dropped\\');
    message.drop();
    assert.equal(message.take('kept'), 'kept');
  });

  test('is a command, a text, or nothing', () => {
    assert.equal(meaningOf('  \n '), undefined);
    assert.deepEqual(meaningOf(' fix it '), { kind: 'text', text: 'fix it' });
    assert.deepEqual(meaningOf('/later then\nthe docs'), {
      kind: 'command',
      name: 'later',
      argument: 'then\nthe docs',
    });
    assert.deepEqual(meaningOf('/DIFF'), { kind: 'command', name: 'diff', argument: '' });
    assert.deepEqual(meaningOf('/mod plan'), { kind: 'unknown', name: 'mod', near: 'mode' });
    for (const text of ['/etc/hosts is wrong', '/', '// why?', '/2', 'a /diff']) {
      assert.deepEqual(meaningOf(text), { kind: 'text', text });
    }
    assert.deepEqual(meaningOf('/constructor'), { kind: 'unknown', name: 'constructor' });
  });

  test('may be any command that help lists', () => {
    const help = helpLines().join('\n');
    for (const name of Object.keys(commands)) assert.match(help, new RegExp(`^ {2}/${name}\\b`, 'm'));
  });
});

describe('the options with which a conversation goes on', () => {
  const given = [
    ['contract', 'scope.json'],
    ['mode', 'ask'],
    ['max-turns', '3'],
    ['check', 'none'],
  ] as const;

  test('are those that were given, as they stand at its end', () => {
    assert.deepEqual(optionsNow(given, { mode: 'ask', limits: { turns: 3 } }), [
      ['contract', 'scope.json'],
      ['check', 'none'],
      ['mode', 'ask'],
      ['max-turns', '3'],
    ]);
    assert.deepEqual(optionsNow(given, { mode: 'plan', model: 'a/x', limits: { turns: null, cost: 0.5 } }).slice(2), [
      ['mode', 'plan'],
      ['model', 'a/x'],
      ['max-turns', 'none'],
      ['max-cost', '0.5'],
    ]);
    assert.deepEqual(optionsNow([], {}), []);
  });
});

describe('a press of Esc or Ctrl-C', () => {
  const works = { works: true, hasDraft: true };
  const rests = { works: false, hasDraft: false };

  test('interrupts what runs, ends the second time, and does not wait the third', () => {
    const presses = new Presses();
    assert.deepEqual(
      [works, works, works].map((each) => presses.press(each)),
      ['interrupt', 'end', 'end-at-once'],
    );
  });

  test('is a first one again when something was said, or what ran has ended', () => {
    const presses = new Presses();
    assert.equal(presses.press(works), 'interrupt');
    presses.forget();
    assert.equal(presses.press({ works: false, hasDraft: true }), 'clear');
    assert.equal(presses.press(rests), 'warn');
    assert.equal(presses.press(rests), 'end');
    presses.forget();
    assert.equal(presses.press(rests), 'end-at-once');
  });
});

describe('a paste', () => {
  const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;

  test('becomes lines that go on, and sends nothing by itself', () => {
    assert.equal(new Pastes().take(`a${paste('one\ntwo\r\nthree\rfour\n')}b\r`), 'aone\\\rtwo\\\rthree\\\rfour\\\rb\r');
    assert.equal(new Pastes().take(paste('a \\\nb')), 'a \\\\\rb');
  });

  test('holds no keys', () => {
    assert.equal(new Pastes().take(paste('a\u0003b\u001b[Ac\u0004\td\u009b')), 'ab[Ac  d');
    assert.equal(new Pastes().take('a\u0003\u001b[A'), 'a\u0003\u001b[A');
  });

  test('is the same in whatever pieces it comes', () => {
    const text = paste('one\r\ntwo\u001b[2x\n');
    const whole = new Pastes().take(text);
    for (let first = 6; first < text.length; first += 1) {
      for (let second = first; second < text.length; second += 1) {
        const pastes = new Pastes();
        const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)];
        assert.equal(pieces.map((piece) => pastes.take(piece)).join(''), whole, JSON.stringify(pieces));
      }
    }
  });
});

/** A prompt on a terminal that is a pair of streams. */
function openPrompt(context: TestContext) {
  const keyboard = new PassThrough();
  const shown = { err: '', out: '' };
  const writer = (name: 'err' | 'out') => ({
    isTerminal: true,
    hasColors: false,
    gone: never,
    width: () => 40,
    write: (text: string | Uint8Array) => {
      shown[name] += String(text);
    },
    ready: () => Promise.resolve(),
    flush: () => Promise.resolve(),
  });
  const happened: string[] = [];
  const keys = {
    line: (text: string) => void happened.push(`line ${text}`),
    press: () => void happened.push('press'),
    end: () => void happened.push('end'),
  };
  const output = { err: writer('err'), out: writer('out') };
  const prompt = new Prompt(keyboard as never, output, plainStyle(40), () => undefined, keys);
  context.after(() => prompt.close());
  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
  };
  return { keyboard, prompt, happened, shown, until };
}

describe('the prompt', () => {
  test('keeps what is typed below what is written, and gives it when it is entered', async (context) => {
    const { keyboard, prompt, happened, shown, until } = openPrompt(context);
    prompt.lines([]);
    keyboard.write('fix');
    await until(() => prompt.draft === 'fix');
    prompt.lines(['a step']);
    prompt.answer('an answer');
    assert.match(shown.err, /a step\n[^]*> fix/);
    assert.equal(shown.out, 'an answer\n');
    keyboard.write(' it\r');
    await until(() => happened.length > 0);
    assert.deepEqual(happened, ['line fix it']);
    keyboard.write('\u001b[A');
    await until(() => prompt.draft === 'fix it');
  });

  test('puts a question in the place of what is being typed, which comes back after it', async (context) => {
    const { keyboard, prompt, happened, shown, until } = openPrompt(context);
    prompt.lines([]);
    keyboard.write('half a thought');
    await until(() => prompt.draft === 'half a thought');
    const approver = createTerminalApprover(prompt.terminal);
    const answer = approver.ask({ call: 'c', tool: 'shell', question: 'run: x' }, never);
    await until(() => shown.err.replaceAll(/\u001b\[[0-9;]*\w/g, '').endsWith('say why > '));
    assert.equal(prompt.draft, '');
    prompt.lines(['something else ends']);
    keyboard.write('n\r');
    assert.deepEqual(await answer, { by: 'terminal', decision: 'no', scope: 'once' });
    await until(() => prompt.draft === 'half a thought');
    keyboard.write('\u0015\u001b[A');
    await until(() => prompt.draft === '');
    assert.deepEqual(happened, [], 'the answer is no message, and none of the history');
  });

  test('Ctrl-D leaves a question open, ends on an empty line, and does neither in a line', async (context) => {
    const { keyboard, prompt, happened, until } = openPrompt(context);
    prompt.lines([]);
    const answer = createTerminalApprover(prompt.terminal).ask({ call: 'c', tool: 'shell', question: 'run: x' }, never);
    await new Promise((resolve) => setImmediate(resolve));
    keyboard.write('\u0004');
    assert.equal(await answer, 'later');
    keyboard.write('ab');
    await until(() => prompt.draft === 'ab');
    keyboard.write('\u0004');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(happened, []);
    keyboard.write('\u0015');
    await until(() => prompt.draft === '');
    keyboard.write('\u0004');
    await until(() => happened.length > 0);
    assert.deepEqual(happened, ['end']);
  });

  test('leaves the terminal as it was', (context) => {
    const { prompt, shown } = openPrompt(context);
    assert.ok(shown.err.startsWith(pasteOn));
    prompt.close();
    assert.ok(shown.err.endsWith(pasteOff));
  });
});
