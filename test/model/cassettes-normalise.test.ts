import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { createNormaliser, edited, placesEditor } from '../../src/model/cassettes/index.ts';
import { answer, request, setup, Story, textReply } from './loopback.ts';
import { player, recorded, temporaryFolder } from './tapes.ts';

const surroundings = {
  workspace: '/home/me/work',
  home: '/home/me',
  temporary: ['/tmp', '/var/tmp'],
  session: '20260101-101010-abc123',
};
const normal = (text: string, durations = true) => createNormaliser(surroundings).text(text, { durations });

describe('dates and times mean nothing', () => {
  const dates = [
    '2026-11-30',
    '2026-11-30T17:28:00Z',
    '2026-11-30T17:28:00.123456+01:00',
    '2026-11-30 17:28',
    'Mon Nov 30 17:28:00 2026 +0000',
    'Mon, 30 Nov 2026 17:28:00 GMT',
    'Nov 30 17:07',
    'Nov 30  2025',
    'November 30, 2026',
    '30 Nov 2026',
    '11/30/2026',
    '30.11.2026',
    '17:28:09',
    '17:28:09.123',
    '1764520000',
    '1764520000123',
  ];
  for (const date of dates) test(date, () => assert.equal(normal(`a ${date} b`), 'a <date> b'));

  test('also right after a line break, inside JSON in JSON too', () => {
    assert.equal(normal('a\n2026-11-30\nb'), 'a\n<date>\nb');
    assert.equal(normal('{"text":"a\\n2026-11-30\\tb"}'), '{"text":"a\\n<date>\\tb"}');
  });

  for (const plain of [
    '1.2.3',
    '2026',
    '10:20',
    'a:12:34',
    'v2026-1',
    '0.1764520000',
    '17645200',
    '12 files',
    'May be',
    'Marching 12',
  ]) {
    test(`${plain} is none`, () => assert.equal(normal(plain), plain));
  }

  test('the size of a file before its date is none', () => {
    assert.equal(normal('-rw-r--r-- 1 me me 512 Nov 30 17:07 a.ts'), '-rw-r--r-- 1 me me 512 <date> a.ts');
  });
});

describe('places mean nothing', () => {
  const places: [string, string][] = [
    ['/home/me/work/src/a.ts', '<workspace>/src/a.ts'],
    ['in /home/me/work.', 'in <workspace>.'],
    ['file:///home/me/work/a', 'file://<workspace>/a'],
    ['"/home/me/work"', '"<workspace>"'],
    ['x\\n/home/me/work', 'x\\n<workspace>'],
    ['/home/me/.config', '<home>/.config'],
    ['/tmp/build-x7Ab/out', '<temporary>/*/out'],
    ['/var/tmp/q', '<temporary>/*'],
    ['20260101-101010-abc123', '<session>'],
  ];
  for (const [text, expected] of places) test(text, () => assert.equal(normal(text), expected));

  for (const plain of [
    '/home/me/workbench',
    '/mnt/home/me/work',
    '/home/me/work.bak/a',
    '/home/meg',
    '/tmpfs/a',
    './tmp/a',
  ]) {
    test(`${plain} is another`, () => assert.doesNotMatch(normal(plain), /<workspace>|<temporary>/));
  }

  test('a root is no place', () => {
    const root = createNormaliser({ workspace: '/', home: '/' });
    assert.equal(root.text('/etc/passwd'), '/etc/passwd');
  });
});

describe('ids mean nothing, but which is which does', () => {
  test('they are numbered as they come', () => {
    const text = 'toolu_01abcdefgh 123e4567-e89b-12d3-a456-426614174000 toolu_01abcdefgh call_9abcdefgh';
    assert.equal(normal(text), '<id 1> <id 2> <id 1> <id 3>');
    assert.notEqual(normal('toolu_01abcdefgh toolu_01abcdefgh'), normal('toolu_01abcdefgh toolu_01abcdefgx'));
  });
  test('hashes of commits and files', () => {
    assert.equal(normal('index 1a2b3c4..5d6e7f8 100644'), 'index <id 1>..<id 2> 100644');
    assert.equal(normal(`sha256:${'0a'.repeat(32)}`), 'sha256:<id 1>');
  });
  for (const plain of ['call_user_function', 'message_start', 'deadbeef', '1234567', 'abc12', 'item_list_entries']) {
    test(`${plain} is none`, () => assert.equal(normal(plain), plain));
  }
});

describe('how long something took means nothing, where that is asked for', () => {
  const durations = ['3ms', '1.5 s', '12 seconds', '2 min', '30µs'];
  for (const duration of durations) {
    test(duration, () => {
      assert.equal(normal(`in ${duration}.`), 'in <duration>.');
      assert.equal(normal(`in ${duration}.`, false), `in ${duration}.`);
    });
  }
  test('with the name before it', () => {
    assert.equal(normal('duration_ms 12.34'), 'duration_ms <duration>');
    assert.equal(normal('elapsed: 4'), 'elapsed: <duration>');
  });
  for (const plain of ['3 files', '5 secrets', 'v1.5s2', '10 m', 'a3ms']) {
    test(`${plain} is none`, () => assert.equal(normal(plain), plain));
  }
});

test('texts of one place are led to another, and nothing else is', () => {
  const editor = placesEditor({ workspace: '/w/a', home: '/w' }, { workspace: '/v/b', home: '/u' });
  const text = '/w/a/x /w/ab /w/.rc "/w/a" z/w/a \\n/w/a.';
  assert.equal(edited(text, editor(text)), '/v/b/x /u/ab /u/.rc "/v/b" z/w/a \\n/v/b.');
  assert.deepEqual(placesEditor({ workspace: '/w' }, { workspace: '/w' })('/w/a'), []);
});

describe('a recorded request equals another', () => {
  const same = async (t: Parameters<typeof recorded>[0], before: string, now: string) => {
    const folder = temporaryFolder(t);
    const story = (text: string) => {
      const told = new Story(setup());
      told.say(text);
      return told;
    };
    await recorded(t, (_, response) => answer(response, textReply('Hello')), story(before), { folder });
    return request(await player(t, folder), story(now)).then(
      () => true,
      ({ code }: { code: string }) => code !== 'replay-diverged',
    );
  };
  const cases: [string, string, string, boolean][] = [
    ['with another date', 'It is 2026-01-01.', 'It is 2027-02-02.', true],
    ['with another workspace', 'In /work/there/a.', 'In /work/here/a.', true],
    ['with the same workspace', 'In /work/there/a.', 'In /work/there/a.', false],
    ['with another file', 'In /work/there/a.', 'In /work/here/b.', false],
    ['with another session', 'a-b-c', 'd-e-f', true],
    [
      'with the same id twice instead of two',
      'toolu_01aaaaaaaa toolu_01bbbbbbbb',
      'toolu_01aaaaaaaa toolu_01aaaaaaaa',
      false,
    ],
    ['with another word', 'Yes.', 'Yes!', false],
    ['with text that looks like what stands in for a date', 'It is <date>.', 'It is 2027-02-02.', true],
  ];
  for (const [name, before, now, expected] of cases) {
    test(`${name}: ${expected ? 'yes' : 'no'}`, async (t) => assert.equal(await same(t, before, now), expected));
  }
});

test('no text and no folder takes long, or throws', () => {
  const started = performance.now();
  for (const bit of [
    'call_a-',
    'a0',
    '2026-11-30T',
    '12:30:',
    'Jan 1 ',
    '/tmp/',
    '/home/me/',
    '1ms ',
    'eyJ-',
    'sk-eyJ',
  ])
    assert.ok(normal(bit.repeat(300_000 / bit.length)).length > 0);
  const long = createNormaliser({ workspace: `/${'a'.repeat(1_000_000)}`, home: '/home/me', temporary: [] });
  assert.equal(long.text('in /home/me/x'), 'in <home>/x');
  assert.ok(performance.now() - started < 5_000);
});

test('the page on replays lists every kind of thing that is left out', () => {
  const page = readFileSync(new URL('../../docs/replay.md', import.meta.url), 'utf8');
  for (const word of [
    '<date>',
    '<workspace>',
    '<home>',
    '<temporary>',
    '<session>',
    '<id 1>',
    '<duration>',
    'cache_control',
  ]) {
    assert.ok(page.includes(word), word);
  }
});
