import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Page } from '../../src/exec/fetch/index.ts';
import { always, pageFrom, site } from './web.ts';

/** The page that a body becomes under the address `/docs/page.html`. */
async function read(t: TestContext, body: string | Buffer, contentType = 'text/html; charset=utf-8'): Promise<Page> {
  const server = await site(t, always(body, { 'content-type': contentType }));
  const page = await pageFrom(server, '/docs/page.html');
  return { ...page, text: page.text.replaceAll(`http://site.test:${server.port}`, 'http://site.test') };
}

const long = 'Enough words to be the part that a page is about. '.repeat(5).trim();

describe('a page of HTML', () => {
  test('becomes Markdown', async (t) => {
    const page = await read(
      t,
      `<!doctype html><title> A  &amp; B </title><h1>Top</h1>
      <p>Some <b>bold</b> and <em>other</em> text,<br>a snake_case_name, 2*3*4 and <code>a_b</code>.</p>
      <ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>
      <ol start="3"><li>three</li><li>four</li></ol>
      <ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul>
      <blockquote><p>said</p></blockquote><hr><p><del>gone</del> &lt;b&gt; &copy;</p>`,
    );
    assert.equal(page.title, 'A & B');
    assert.equal(page.mediaType, 'text/html');
    assert.equal(
      page.text,
      [
        '# Top',
        '',
        'Some **bold** and *other* text,',
        'a snake_case_name, 2*3*4 and `a_b`.',
        '',
        '-   one',
        '    -   inner',
        '-   two',
        '',
        '3.  three',
        '4.  four',
        '',
        '-   [x] done',
        '-   [ ] open',
        '',
        '> said',
        '',
        '---',
        '',
        '~~gone~~ <b> ©',
      ].join('\n'),
    );
  });

  test('loses what nobody reads', async (t) => {
    const unread = [
      '<script>var a = "no";</script>',
      '<style>p { no: no }</style>',
      '<noscript>no</noscript>',
      '<template>no</template>',
      '<nav><a href="/">no</a></nav>',
      '<div role="navigation">no</div>',
      '<p hidden>no</p>',
      '<p aria-hidden="true">no</p>',
      '<p style="color: red; DISPLAY : none">no</p>',
      '<p style="visibility:hidden">no</p>',
      '<p style="font-size:0px">no</p>',
      '<p style="opacity: 0.0;">no</p>',
      '<svg><text>no</text></svg>',
      '<iframe src="/no">no</iframe>',
      '<button>no</button>',
      '<select><option>no</select>',
      '<textarea>no</textarea>',
      '<input value="no">',
      '<!-- no -->',
      '<img src="/no.png">',
      '<a href="/no"></a>',
    ];
    assert.equal((await read(t, `<p>yes</p>${unread.join('\n')}<p>yes</p>`)).text, 'yes\n\nyes');
  });

  test('keeps what only looks so', async (t) => {
    const read_ = [
      '<p style="opacity:0.5">yes</p>',
      '<p style="font-size:0.8em">yes</p>',
      '<p aria-hidden="false">yes</p>',
      '<details><summary>yes</summary>yes</details>',
      '<form>yes</form>',
    ];
    assert.equal((await read(t, read_.join(''))).text, 'yes\n\nyes\n\nyes\n\nyesyes\n\nyes');
  });

  for (const [name, marked] of [
    ['main', `<main>${long}</main>`],
    ['the role of main', `<div role="main">${long}</div>`],
    ['the only article', `<article>${long}</article>`],
  ] as const) {
    test(`is its own part where one is marked: ${name}`, async (t) => {
      assert.equal((await read(t, `<header>head</header>${marked}<footer>foot</footer>`)).text, long);
    });
  }

  for (const [name, marked] of [
    ['several articles', '<article>a</article><article>b</article>'],
    ['a part that is nearly empty', '<main>ab</main>'],
  ] as const) {
    test(`is all of it with ${name}`, async (t) => {
      const { text } = await read(t, `<header>head</header>${marked}<footer>foot</footer>`);
      assert.match(text, /^head\s+a\s*b\s+foot$/);
    });
  }

  test('has whole addresses, and only such as lead to pages', async (t) => {
    const links = [
      '<a href="other.html">relative</a>',
      '<a href="/root">rooted</a>',
      '<a href="//cdn.test/x">without scheme</a>',
      '<a href="https://a.test/(b)">with brackets</a>',
      '<a href="?q=a b">query</a>',
      '<a href="#part">within</a>',
      '<a href="javascript:alert(1)">script</a>',
      '<a href="data:text/html,x">data</a>',
      '<a>nowhere</a>',
      '<a href="/card"><h3>Card</h3><p>text</p></a>',
      '<img src="pic.png" alt="Picture">',
      '<img src="data:image/png;base64,AAAA" alt="inline">',
    ];
    assert.equal(
      (await read(t, links.map((link) => `<div>${link}</div>`).join(''))).text,
      [
        '[relative](http://site.test/docs/other.html)',
        '[rooted](http://site.test/root)',
        '[without scheme](http://cdn.test/x)',
        '[with brackets](https://a.test/%28b%29)',
        '[query](http://site.test/docs/page.html?q=a%20b)',
        'within',
        'script',
        'data',
        'nowhere',
        '[Card text](http://site.test/card)',
        '![Picture](http://site.test/docs/pic.png)',
        'inline',
      ].join('\n\n'),
    );
  });

  test('takes its base for them, unless that is no place on the web', async (t) => {
    const { text } = await read(t, '<base href="https://base.test/x/"><base href="file:///etc/"><p><a href="y">a</a>');
    assert.equal(text, '[a](https://base.test/x/y)');
  });

  test('loses the signs with which headings link themselves', async (t) => {
    assert.equal(
      (await read(t, '<h2>Head<a href="#head">¶</a></h2><h2><a href="#b">Back</a></h2>')).text,
      '## Head\n\n## Back',
    );
  });

  test('keeps code as it stands, with its language', async (t) => {
    const blocks = [
      '<pre><code class="language-ts">const a = 1;\n\n\n  b &lt; c;\n</code></pre>',
      '<pre>two<br>lines</pre>',
      '<div class="highlight-source-shell"><pre>ls</pre></div>',
      '<pre><code>a ``` b</code></pre>',
    ];
    assert.equal(
      (await read(t, blocks.join(''))).text,
      [
        '```ts\nconst a = 1;\n\n\n  b < c;\n```',
        '```\ntwo\nlines\n```',
        '```shell\nls\n```',
        '````\na ``` b\n````',
      ].join('\n\n'),
    );
  });

  test('has its tables, with lists in their cells and cells over several columns', async (t) => {
    const table = `<table><caption>Sizes</caption><thead><tr><th>Name</th><th>Size</th><th>Why</th></tr></thead>
      <tbody><tr><td>a | b</td><td>1</td><td><ul><li>x</li><li>y</li></ul></td></tr>
      <tr><td colspan="2">both</td><td></td></tr></tbody></table>`;
    assert.equal(
      (await read(t, `<p>before</p>${table}<p>after</p>`)).text,
      [
        'before',
        '',
        'Sizes',
        '',
        '| Name | Size | Why |',
        '| --- | --- | --- |',
        '| a \\| b | 1 | -   x<br>-   y |',
        '| both |  |  |',
        '',
        'after',
      ].join('\n'),
    );
  });

  test('has the contents of tables that only place things', async (t) => {
    const placing =
      '<table><tr><td><h2>Left</h2></td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>';
    assert.equal((await read(t, placing)).text, '## Left\n\n| a | b |\n| --- | --- |');
    assert.equal((await read(t, '<table><tr><td>one</td></tr><tr><td>two</td></tr></table>')).text, 'one\n\ntwo');
  });

  test('can be broken in any way', async (t) => {
    assert.equal((await read(t, '<p>a<b>b<p>c</table></div><td>d<')).text, 'a**b**\n\n**cd<**');
    assert.equal((await read(t, '')).text, '');
    assert.equal((await read(t, '<div></div>')).text, '');
  });
});

describe('what isn’t HTML', () => {
  for (const type of [
    'application/json',
    'application/vnd.api+json',
    'text/plain',
    'text/markdown',
    'application/atom+xml',
    'image/svg+xml',
  ]) {
    test(`is text as it is when it is ${type}`, async (t) => {
      const body = '{"a":  1}\n<p>not laid out</p> \n';
      const page = await read(t, body, type);
      assert.deepEqual([page.text, page.mediaType, page.bytes], [body, type, Buffer.byteLength(body)]);
    });
  }

  for (const [type, what] of [
    ['application/pdf', 'a PDF document'],
    ['image/png', 'an image'],
    ['application/zip', 'an archive'],
    ['video/mp4', 'a film'],
    ['application/x-thing', 'no text'],
  ] as const) {
    test(`is described when it is ${type}, and not loaded`, async (t) => {
      let sent = 0;
      const server = await site(t, (_request, response) => {
        response.writeHead(200, { 'content-type': type, 'content-length': '5000000000' });
        response.write('begin', () => (sent += 5));
      });
      const page = await pageFrom(server);
      assert.equal(
        page.text,
        `This is ${what} (${type}, 5000000000 bytes). Only text is shown, so what it holds isn’t.`,
      );
      assert.deepEqual([page.bytes, page.cut], [0, false]);
      assert.ok(sent <= 5);
    });
  }

  test('is described when its bytes are no text, whatever the server says', async (t) => {
    for (const type of ['text/plain', 'application/json', 'text/html', '']) {
      assert.match((await read(t, Buffer.from('ab\0\u0001cd'), type)).text, /^This is no text \(.*, 6 bytes\)/);
    }
  });

  test('is what it looks like when the server doesn’t say', async (t) => {
    assert.equal((await read(t, ' <!DOCTYPE html><p>a<b>b</b>', '')).text, 'a**b**');
    assert.equal((await read(t, 'a <b>b</b>', '')).text, 'a <b>b</b>');
    assert.equal((await read(t, 'plain', 'application/octet-stream')).text, 'plain');
  });

  for (const type of ['no type', '/', 'text/', 'text/html\u00e9', `text/${'x'.repeat(200)}`, ';charset=utf-8']) {
    test(`is of no type when the server says ${JSON.stringify(type.slice(0, 20))}`, async (t) => {
      assert.equal((await read(t, 'x', type)).mediaType, 'application/octet-stream');
    });
  }
});

describe('the encoding of a page', () => {
  const bytes = (...values: number[]) => Buffer.from(values);
  const cases: [name: string, body: Buffer, type: string, text: string][] = [
    ['is said by the header', bytes(0xe9, 0x80), 'text/plain; charset=ISO-8859-1', 'é€'],
    ['is said by the header in quotes', bytes(0x93, 0xfa), 'text/plain; x=y; Charset="Shift_JIS"', '日'],
    [
      'is said by the mark, even against the header',
      bytes(0xff, 0xfe, 0x41, 0, 0xe9, 0),
      'text/plain; charset=utf-8',
      'Aé',
    ],
    ['is said by the mark of UTF-16 the other way round', bytes(0xfe, 0xff, 0, 0x41), 'text/plain', 'A'],
    ['is UTF-8 with its mark, which is left out', bytes(0xef, 0xbb, 0xbf, 0x41), 'text/plain', 'A'],
    ['is said by the page', Buffer.from('<meta charset="koi8-r"><p>\xc1', 'latin1'), 'text/html', 'а'],
    [
      'is said by the page in the old way',
      Buffer.from('<META http-equiv="Content-Type" content="text/html; charset=euc-jp"><p>\xc6\xfc', 'latin1'),
      'text/html',
      '日',
    ],
    ['can’t be UTF-16 where the page could say so', Buffer.from('<meta charset="utf-16"><p>é'), 'text/html', 'é'],
    [
      'is one that only the platform knows',
      bytes(0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42),
      'text/plain; charset=iso-2022-jp',
      '日',
    ],
    ['is UTF-8 where nothing is said and it fits', Buffer.from('é日'), 'text/plain', 'é日'],
    ['is Windows-1252 where nothing is said and UTF-8 doesn’t fit', bytes(0x41, 0xe9, 0x92), 'text/plain', 'Aé’'],
    ['is guessed where the header names none', Buffer.from('é'), 'text/plain; charset=base64', 'é'],
    ['is guessed where the header says nonsense', Buffer.from('é'), 'text/plain; charset=__proto__', 'é'],
    ['breaks no more than the bytes that don’t fit', bytes(0x41, 0xff, 0x42), 'text/plain; charset=utf-8', 'A\ufffdB'],
  ];
  for (const [name, body, type, text] of cases) {
    test(name, async (t) => assert.equal((await read(t, body, type)).text, text));
  }

  test('is still UTF-8 where the limit cuts a character in two', async (t) => {
    for (const [bytes_, text] of [
      [4, 'aé'],
      [5, 'aé'],
      [6, 'aé日'],
    ] as const) {
      const server = await site(t, always('aé日日'));
      assert.equal((await pageFrom(server, '/', { limits: { bytes: bytes_ } })).text, text);
    }
  });
});
