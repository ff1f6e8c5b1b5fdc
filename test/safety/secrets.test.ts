import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createRedactor, isSecretName, placeholderIn, secretsInDotenv } from '../../src/safety/index.ts';

const key = () => Buffer.alloc(32, 7);
const value = 'Zx81kQpL0vNm77RtYwBa';
const spaced = 'my pass: Phr4se, with $ymbols';
const values = [
  { name: 'API_TOKEN', value },
  { name: 'PHRASE', value: spaced },
  { name: 'WIDE', value: 'schlüssel-Ø-9Qx7' },
];
const redactor = createRedactor({ values, key });

/** Made here, so that no file of this repository holds one. */
const random = (length: number, alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghkmnpqrstuvwxyz2345679') =>
  Array.from({ length }, (_, index) => alphabet[(index * 31 + length * 17 + index * index * 7) % alphabet.length]).join(
    '',
  );
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const shaped: { [kind: string]: string } = {
  'aws-key-id': `AKIA${random(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  'github-token': `ghp_${random(36)}`,
  'gitlab-token': `glpat-${random(20)}`,
  'slack-token': `xoxb-${random(12, '0123456789')}-${random(24)}`,
  'stripe-key': `sk_live_${random(24)}`,
  'anthropic-key': `sk-ant-api03-${random(80)}`,
  'openai-key': `sk-proj-${random(48)}`,
  'google-key': `AIza${random(35)}`,
  'npm-token': `npm_${random(36)}`,
  'pypi-token': `pypi-AgE${random(60)}`,
  'hugging-face-token': `hf_${random(34, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')}`,
  'sendgrid-key': `SG.${random(22)}.${random(43)}`,
  'json-web-token': `${base64url('{"alg":"HS256"}')}.${base64url('{"sub":"somebody"}')}.${random(43)}`,
};
const keyLines = Array.from({ length: 6 }, (_, index) =>
  randomBytes(48)
    .toString('base64')
    .slice(0, index === 5 ? 20 : 64),
);
const keyBlock = ['-----BEGIN RSA PRIVATE KEY-----', ...keyLines, '-----END RSA PRIVATE KEY-----'].join('\n');

test('a known value is replaced in every spelling, and lines stay lines', () => {
  const user = Buffer.from(`user:${value}`).toString('base64');
  for (const text of [
    value,
    `before${value}after`,
    JSON.stringify({ a: spaced }),
    encodeURIComponent(spaced),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('hex'),
    `Basic ${user}`,
  ]) {
    const shown = redactor.redact(`${text}\nnext`);
    assert.match(shown, /\[secret:[A-Z_]+:[0-9a-f]{8}\]/, text);
    for (const { value: secret } of values) assert.ok(!shown.includes(secret));
    assert.ok(shown.endsWith('\nnext'));
  }
  assert.ok(!Buffer.from(user, 'base64').toString().includes(redactor.redact(user)));
});

test('a known value is replaced as each usual writer spells it', () => {
  const odd = `aB3!x'y(z)*/q+9&<k"w\\Zé$V7~${random(8)}`;
  const known = createRedactor({ values: [{ name: 'ODD', value: odd }], key });
  const json = JSON.stringify(odd);
  const strict = encodeURIComponent(odd).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const address = new URL('https://host.example/');
  address.password = odd;
  const xml = odd.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const spelled = {
    python: json.replace('é', '\\u00e9'),
    go: json.replace('&', '\\u0026').replace('<', '\\u003c'),
    php: json.replace('é', '\\u00e9').replaceAll('/', '\\/'),
    form: new URLSearchParams({ odd }).toString(),
    strict: strict.replace(/%../g, (code) => code.toUpperCase()),
    lower: strict.replace(/%../g, (code) => code.toLowerCase()),
    path: strict.replace(/%../g, (code) => code.toUpperCase()).replaceAll('%2F', '/'),
    whole: encodeURI(odd),
    user: address.href,
    upperHex: Buffer.from(odd).toString('hex').toUpperCase(),
    text: xml,
    attribute: xml.replaceAll('"', '&quot;'),
    doubleQuoted: odd.replace(/[\\"$`]/g, '\\$&'),
    singleQuoted: odd.replaceAll("'", String.raw`'\''`),
  };
  for (const [writer, text] of Object.entries(spelled)) {
    assert.match(
      known.redact(`<${text}>`),
      /^<[^]*\[secret:ODD:[0-9a-f]{8}\]"?>|^<https:[^]*secret:ODD/,
      `${writer}: ${text}`,
    );
  }
  assert.equal(known.redact(odd.slice(1)), odd.slice(1));
});

test('shapes are found, each by its name', () => {
  for (const [kind, secret] of Object.entries(shaped)) {
    assert.match(redactor.redact(`x = "${secret}";`), new RegExp(`^x = "\\[secret:${kind}:[0-9a-f]{8}\\]";$`), secret);
  }
  const contexts = [
    [`postgres://app:${random(14)}@db.local/x`, 'url-password'],
    [`curl -H "Authorization: Bearer ${random(40)}"`, 'authorization'],
    [`AccountKey=${random(84)}==;`, 'azure-key'],
    [`db_password = "${value.split('').toReversed().join('')}"`, 'assigned'],
  ] as const;
  for (const [text, kind] of contexts) assert.match(redactor.redact(text), new RegExp(`\\[secret:${kind}:`), text);
});

test('of a private key every line goes, as it is, escaped, and quoted', () => {
  const spellings = [
    keyBlock,
    keyBlock.replaceAll('\n', '\r\n'),
    JSON.stringify(keyBlock),
    keyBlock.replaceAll('\n', '",\n"'),
    keyBlock.replaceAll('\n', '\\n" +\n  "'),
    ...['+', '-', ' '].map((sign) => keyBlock.replaceAll('\n', `\n${sign}`)),
    // As a diff shows it that adds every second line.
    keyBlock
      .split('\n')
      .map((line, at) => `${at % 2 === 0 ? ' ' : '+'}${line}`)
      .join('\n'),
  ];
  for (const spelling of spellings) {
    const shown = redactor.redact(`const key = ${spelling};\nnext();`);
    for (const line of keyLines) assert.ok(!shown.includes(line), line);
    assert.equal(shown.split('\n').length, spelling.split('\n').length + 1);
    assert.match(shown, /BEGIN RSA PRIVATE KEY[^]*END RSA PRIVATE KEY[^]*;\nnext\(\);$/);
  }
  const [, line = ''] = keyLines;
  assert.ok(!redactor.redact(`7\t${line}`, [keyBlock]).includes(line));
});

test('of a private key every line goes, whatever letters it begins with', () => {
  for (const first of ['+', '/', '++', 'a', '0']) {
    const lines = ['AB', first, 'Zk', 'x+', 'Q'].map(
      (begin, index) => `${begin}${random(64 - begin.length - (index === 4 ? 20 : 0))}`,
    );
    const shown = redactor.redact(`-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`);
    for (const line of lines) assert.ok(!shown.includes(line.slice(2)), line);
  }
});

test('the same value has the same placeholder, another key another one', () => {
  const [first, second] = redactor.redact(`${value} ${value}`).split(' ');
  assert.equal(first, second);
  const other = createRedactor({ values, key: () => Buffer.alloc(32, 8) });
  assert.notEqual(other.redact(value), first);
  assert.equal(placeholderIn(redactor.redact(`a ${value}`)), first);
});

test('names of secrets, and names that only look like one', () => {
  for (const name of [
    'NPM_TOKEN',
    'apiKey',
    'DB_PASSWORD_2',
    'AWS_SECRET_ACCESS_KEY',
    'GH_AUTH',
    'CREDENTIALS',
    'DBPASSWORD',
  ])
    assert.ok(isSecretName(name), name);
  for (const name of [
    'MONKEY',
    'GIT_AUTHOR_NAME',
    'AUTHOR',
    'KEYBOARD',
    'XAUTHORITY',
    'SSH_AUTH_SOCK',
    'PATH',
    'TOKENIZERS',
  ])
    assert.ok(!isSecretName(name), name);
});

test('a file of variables gives its secrets, and ordinary values are none', () => {
  const text = `# x\nexport API_KEY='${value}'\nPORT_TOKEN=3000\nSECRET="a\\nb"\nDB_PASSWORD=changeme-please\nKEY_PATH=/etc/ssl/private\nPLAIN=${spaced}`;
  const found = createRedactor({ values: secretsInDotenv(text), key });
  assert.ok(found.holdsKnown(`x${value}x`));
  const [one, two] = [random(14), random(14)];
  const odd = secretsInDotenv(
    `A_KEY="${one}\\$\\"${two}"\nB_KEY=${two}<k>${one}\nC_KEY=\${A}${one}${two}\nD_KEY=Bearer <token>`,
  );
  const foundOdd = createRedactor({ values: odd, key });
  for (const held of [`${one}\\$\\"${two}`, `${one}$"${two}`, `${two}<k>${one}`, `\${A}${one}${two}`])
    assert.ok(foundOdd.holdsKnown(held), held);
  assert.ok(!foundOdd.holdsKnown('Bearer <token>'));
  for (const ordinary of ['3000', 'changeme-please', '/etc/ssl/private', spaced])
    assert.ok(!found.holdsKnown(ordinary), ordinary);
});

test('a placeholder stands only for what the same file holds', () => {
  const file = `a = 1\nkey: ${value}\n${keyBlock}\n`;
  const shown = redactor.redact(file);
  assert.deepEqual(redactor.resolve(shown, file), { text: file });
  const placeholder = placeholderIn(shown) ?? '';
  assert.ok('problem' in redactor.resolve(placeholder, 'nothing'));
  assert.ok('problem' in redactor.resolve('[secret:API_TOKEN:00000000]', file));
  assert.deepEqual(redactor.resolve('plain', ''), { text: 'plain' });
});

const piece = fc.oneof(
  fc.constantFrom(
    value,
    spaced,
    keyBlock,
    `password = "${random(24)}9aB"`,
    `https://me:${random(9)}@x.y`,
    ...Object.values(shaped),
  ),
  fc.constantFrom(
    '\n',
    ' ',
    'eyJ',
    'sk-',
    '-----BEGIN ',
    'Authorization: Bearer ',
    'token',
    '://',
    'my pass: ',
    '.',
    'x.',
    'Zx81',
    '\\n',
    '"',
  ),
  fc.string({ maxLength: 30 }),
);
const texts = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

test('what comes in pieces is what comes at once, for text and for bytes', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 30 }), (text, sizes) => {
      const bytes = Buffer.from(text);
      const [stream, filter] = [redactor.text(), redactor.bytes()];
      let [shown, raw] = ['', ''];
      for (let [at, turn] = [0, 0]; at < bytes.length; turn += 1) {
        const size = (sizes[turn % sizes.length] ?? 0) + 1;
        shown += stream.write(bytes.toString('latin1', at, at + size));
        raw += filter.write(bytes.subarray(at, at + size)).toString('latin1');
        at += size;
      }
      assert.equal(shown + stream.end(), redactor.redact(bytes.toString('latin1')));
      const whole = redactor.bytes();
      assert.equal(
        raw + filter.end().toString('latin1'),
        whole.write(bytes).toString('latin1') + whole.end().toString('latin1'),
      );
    }),
    { numRuns: 400 },
  );
});

test('no value is left, and what is redacted stays as it is', () => {
  const secrets = [value, spaced, ...keyLines, ...Object.values(shaped)];
  fc.assert(
    fc.property(texts, (text) => {
      const shown = redactor.redact(text);
      for (const known of values) assert.ok(!shown.includes(known.value));
    }),
    { numRuns: 300 },
  );
  const apart = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(' '));
  fc.assert(
    fc.property(apart, (text) => {
      const shown = redactor.redact(text);
      for (const secret of secrets) assert.ok(!shown.includes(secret));
      assert.equal(redactor.redact(shown), shown);
    }),
    { numRuns: 300 },
  );
});

test('a prompt isn’t held back, the beginning of a secret is', () => {
  const stream = redactor.text();
  assert.equal(stream.write('ready> '), 'ready> ');
  assert.equal(stream.write('Name:'), 'Name:');
  assert.equal(stream.write(`\n${value.slice(0, 9)}`), '\n');
  assert.match(stream.write(`${value.slice(9)} x `), /^\[secret:API_TOKEN:[0-9a-f]{8}\] x $/);
});

test('values are found in bytes of other encodings', () => {
  for (const bytes of [Buffer.from(value, 'utf16le'), Buffer.from(value, 'utf16le').swap16()]) {
    const filter = redactor.bytes();
    const shown = Buffer.concat([filter.write(bytes.subarray(0, 11)), filter.write(bytes.subarray(11)), filter.end()]);
    assert.ok(!shown.toString('latin1').includes(bytes.toString('latin1')));
    assert.ok(shown.includes('[secret:API_TOKEN:'));
  }
  const filter = redactor.bytes();
  assert.ok(!Buffer.concat([filter.write(Buffer.from('schlüssel-Ø-9Qx7')), filter.end()]).includes('9Qx7'));
});

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.(?:ts|md|json|mjs)$/.test(entry.name)) yield path;
  }
}

test('ordinary code is left alone: none in this repository, its lock file, and what looks random in code', () => {
  const root = join(import.meta.dirname, '../..');
  const plain = createRedactor({ values: [], key });
  const sources = [...files(join(root, 'src')), ...files(join(root, 'docs')), join(root, 'package-lock.json')];
  for (const path of sources) {
    const text = readFileSync(path, 'utf8');
    assert.equal(plain.redact(text), text, path);
  }
  for (const text of [
    'id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    `<img src="data:image/png;base64,${randomBytes(3000).toString('base64')}">`,
    'integrity sha512-Z3MdQmyw0uLcVJ4b3GDzGIMv8pBEiK8rM4L9Vm0gVqBhpAOoWzVJaO7fO4pPqS5vCwz4bBq4C7Qw8Yk1tWq5aA==',
    'const key = "sk-test"; token = process.env.NPM_TOKEN; password: string; secret = getSecret("name")',
    'api_key = "your-api-key-goes-here-12345"; apiKey: "AKIAIOSFODNN7EXAMPLE"; token: "xxxxxxxxxxxxxxxxxxxxxxxx"',
    'export GITHUB_TOKEN=${{ secrets.GITHUB_TOKEN }}; password = "correct horse battery staple"',
    'postgres://postgres:postgres@localhost:5432/app git@github.com:owner/name.git https://user@example.com/a:b',
    'tokenizer = "cl100k_base"; accessKey = someObject.accessKeyIdentifier2; secretName: "my-app-secret-name-v2"',
    'if (line.startsWith("-----BEGIN PRIVATE KEY-----")) return parsePrivateKeyFromSomewhereElse(line);',
    'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.',
  ]) {
    assert.equal(plain.redact(text), text);
  }
});

test('hostile text takes no longer than plain text of its size, within reason', () => {
  const odd = [
    'eyJ',
    'eyJa.',
    '://',
    '://a:b',
    'token="',
    '-----BEGIN PRIVATE KEY-----\n',
    'sk-',
    'Bearer ',
    '-',
    value.slice(0, 12),
  ];
  for (const part of odd) {
    const text = part.repeat(Math.ceil(300_000 / part.length));
    const began = performance.now();
    redactor.redact(text);
    assert.ok(performance.now() - began < 5_000, part);
  }
});
