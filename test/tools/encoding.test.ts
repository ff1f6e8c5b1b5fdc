import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import {
  decode,
  detectEncoding,
  encode,
  encodingName,
  encodingOf,
  firstUnheld,
  type EncodedText,
} from '../../src/tools/text/index.ts';

const inEncoding = (text: string, encoding: string): Buffer => iconv.encode(text, encoding);
const nameOf = async (bytes: Buffer): Promise<string> => {
  const encoded = await detectEncoding(bytes);
  return encoded === 'binary' ? encoded : encoded.encoding;
};
const detected = async (bytes: Buffer): Promise<EncodedText> => {
  const encoded = await detectEncoding(bytes);
  assert.ok(encoded !== 'binary');
  return encoded;
};

const texts = {
  chinese: 'int x = 1;\n/* 这是一个用于测试的注释，请不要修改。 */\n// 计算两个日期之间的天数\n',
  traditional: 'int x = 1;\n/* 這是一個用於測試的註解，請不要修改。 */\n// 計算兩個日期之間的天數\n',
  japanese: 'int x = 1;\n/* 日本語のコメントです。修正しないでください。 */\n// エラーが発生しました。表示\n',
  korean: 'int x = 1;\n/* 이 파일은 테스트용입니다. 수정하지 마세요. */\n// 설정 파일을 찾을 수 없습니다.\n',
  russian: 'int x = 1;\n// Это комментарий на русском языке, не изменяйте его.\n// Ошибка: файл не найден.\n',
  polish:
    'int x = 1;\n// sprawdza, czy plik istnieje i można go otworzyć\n// Błąd: nie znaleziono pliku. Sprawdź ścieżkę.\n',
  turkish: 'int x = 1;\n// Bu dosya Türkçe açıklamalar içerir, lütfen değiştirmeyin\n// Hata: dosya bulunamadı\n',
  english: 'He said “hello” — it’s fine.\n// a dash – and an ellipsis… for 5 €\n',
};

describe('legacy encodings are named where the bytes say so', () => {
  const samples: [string, string, string][] = [
    ['gb18030', texts.chinese, 'GB18030 (GBK)'],
    ['big5', texts.traditional, 'Big5'],
    ['shift_jis', texts.japanese, 'Shift-JIS'],
    ['euc-jp', texts.japanese, 'EUC-JP'],
    ['euc-kr', texts.korean, 'EUC-KR'],
    ['windows-1251', texts.russian, 'Windows-1251'],
    ['koi8-r', texts.russian, 'KOI8-R'],
    ['iso-8859-5', texts.russian, 'ISO-8859-5'],
    ['windows-1250', texts.polish, 'Windows-1250'],
    ['windows-1252', texts.english, 'Windows-1252'],
  ];
  for (const [encoding, text, name] of samples) {
    test(`${name}: read as it was written, written as it is read`, async () => {
      const bytes = inEncoding(text, encoding);
      const encoded = await detected(bytes);
      assert.equal(encodingName(encoded.encoding), name);
      assert.equal(decode(bytes, encoded), text);
      assert.deepEqual(encode(text, encoded), bytes);
    });

    test(`${name}: in a long file with CRLF, and as the last line of one`, async () => {
      const code = 'const value = compute(1, 2);\r\n'.repeat(5_000);
      for (const whole of [text.replaceAll('\n', '\r\n') + code, code + text]) {
        const bytes = inEncoding(whole, encoding);
        assert.equal(await nameOf(bytes), encoding);
        assert.equal(decode(bytes, await detected(bytes)), whole);
      }
    });
  }

  test('a very large file is left as its bytes show it', async () => {
    const part = inEncoding(texts.chinese, 'gb18030');
    assert.equal(await nameOf(Buffer.alloc(16 * 1024 * 1024 + 1, part)), '8-bit');
  });

  test('letters of Turkish are told from those of Latin-1', async () => {
    const bytes = inEncoding(texts.turkish, 'windows-1254');
    assert.equal(decode(bytes, await detected(bytes)), texts.turkish);
  });
});

describe('Latin-1 is named where nothing else can be meant', () => {
  for (const text of [
    '// café niño\n',
    '// überprüft, ob der Schlüssel gültig ist\nGröße\n',
    'configuración\n',
    'Ação inválida: usuário não existe\n',
    '© 2020 Acme®\n',
    '// vérifie que la clé a été créée\n',
    "const letters = 'äöüÄÖÜß';\n// Prüfgröße für alle\n",
  ]) {
    test(JSON.stringify(text), async () => {
      const bytes = Buffer.from(text, 'latin1');
      assert.equal(await nameOf(bytes), 'latin-1');
      assert.deepEqual(encodingOf(bytes), { encoding: 'latin-1', mark: 0 });
    });
  }
});

describe('what isn’t sure is no encoding', () => {
  const samples: [string, Buffer][] = [
    ['a word of Chinese', inEncoding('// 中文\n', 'gb18030')],
    ['a word of Japanese', inEncoding('// テスト\n', 'shift_jis')],
    ['a word of Korean', inEncoding('// 한국어 주석\n', 'euc-kr')],
    ['a sign that may be half a character', Buffer.from('22\xb0C\n', 'latin1')],
    ['letters that no word has', Buffer.from('x \xe4\xe4 y\n', 'latin1')],
    ['German of DOS', inEncoding('// überprüft, ob der Schlüssel gültig ist\n', 'cp850')],
    ['quotes of the Macintosh', inEncoding('He said “hello” — it’s fine.\n', 'macintosh')],
    ['Russian of DOS', inEncoding(texts.russian, 'cp866')],
    ['Russian of the Macintosh', inEncoding(texts.russian, 'maccyrillic')],
    [
      'UTF-8 with one broken byte',
      Buffer.concat([Buffer.from('// “naïve” 中文\n'.repeat(20)), Buffer.from([0xff, 10])]),
    ],
    [
      'UTF-8 with a line of Latin-1',
      Buffer.concat([Buffer.from('// café à la crème\n'), Buffer.from('caf\xe9\n', 'latin1')]),
    ],
    ['Chinese with one broken byte', Buffer.concat([inEncoding(texts.chinese, 'gb18030'), Buffer.from([0xff, 10])])],
    ['Chinese and Russian', Buffer.concat([inEncoding(texts.chinese, 'gb18030'), inEncoding(texts.russian, 'koi8-r')])],
    ['Windows-1252 with a byte that it hasn’t', Buffer.from('caf\xe9 \x93\x81\n', 'latin1')],
    ['a first half of a character without the second', Buffer.from('// \x95\\n \x83\nx', 'latin1')],
  ];
  for (const [name, bytes] of samples) {
    test(name, async () => {
      const encoded = await detected(bytes);
      assert.equal(encoded.encoding, '8-bit');
      assert.deepEqual(Buffer.from(decode(bytes, encoded), 'latin1'), bytes);
      assert.equal(encode('é', encoded), undefined);
      assert.deepEqual(encode('e', encoded), Buffer.from('e'));
    });
  }

  test('Japanese with backslashes inside characters is never taken for a western encoding', async () => {
    // A few bytes of it can also be UTF-8, which nothing but their meaning tells apart.
    const part = fc.oneof(
      fc.constantFrom('表', 'ソ', '能', '予', 'ﾊ', 'ｶﾅ', '前', '十', '貼'),
      fc.string({ unit: fc.constantFrom(' ', '\n', '\\', 'a', 'n', 'x', '(', '"', ';', '1'), maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 12 }), async (parts) => {
        const text = parts.join('');
        fc.pre(/[表ソ能予前十貼]/.test(text));
        assert.match(await nameOf(inEncoding(text, 'shift_jis')), /^(8-bit|shift_jis|utf-8)$/);
      }),
      { numRuns: 300 },
    );
  });
});

describe('UTF-16', () => {
  test('with a mark, of either order; without one where it can be nothing else', async () => {
    const text = 'int x = 1; // é 中 😀\r\n';
    const little = Buffer.from(text, 'utf16le');
    const big = Buffer.from(little).swap16();
    const mark = Buffer.from([0xff, 0xfe]);
    assert.deepEqual(await detected(Buffer.concat([mark, little])), { encoding: 'utf-16le', mark: 2 });
    assert.deepEqual(await detected(Buffer.concat([Buffer.from(mark).swap16(), big])), {
      encoding: 'utf-16be',
      mark: 2,
    });
    assert.deepEqual(await detected(little), { encoding: 'utf-16le', mark: 0 });
    assert.deepEqual(await detected(big), { encoding: 'utf-16be', mark: 0 });
    assert.equal(decode(little, { encoding: 'utf-16le', mark: 0 }), text);
    assert.equal(decode(big, { encoding: 'utf-16be', mark: 0 }), text);
  });

  const doubtful: [string, Buffer][] = [
    ['seven units', Buffer.from('abcdefg', 'utf16le')],
    ['an odd byte', Buffer.from('abcdefgh\0', 'latin1')],
    ['mostly letters of another script', Buffer.from('ab 中文中文中文中文', 'utf16le')],
    ['a NUL character', Buffer.from('abcdefgh\0', 'utf16le')],
    ['half a surrogate pair', Buffer.from('abcdefgh\ud83d ', 'utf16le')],
    ['control characters', Buffer.from('abcdefgh\x01\x02', 'utf16le')],
    ['UTF-32', Buffer.from('a\0\0\0b\0\0\0c\0\0\0d\0\0\0', 'latin1')],
    ['UTF-32 with a mark', Buffer.from('\xff\xfe\0\0a\0\0\0b\0\0\0', 'latin1')],
  ];
  for (const [name, bytes] of doubtful) {
    test(`without a mark it is binary with ${name}`, async () => assert.equal(await detectEncoding(bytes), 'binary'));
  }

  test('eight units are enough, and half of them ASCII', async () => {
    assert.equal(await nameOf(Buffer.from('abcdefgh', 'utf16le')), 'utf-16le');
    assert.equal(await nameOf(Buffer.from('abcd中文中文', 'utf16le')), 'utf-16le');
    assert.equal(await nameOf(Buffer.from('abc 中文中文中', 'utf16le')), 'binary');
  });
});

describe('encoding', () => {
  test('nothing is written that would be read otherwise', async () => {
    const japanese = await detected(inEncoding(texts.japanese, 'shift_jis'));
    for (const text of ['¥', '‾', 'é', '中国 ☃', '\ufffd', '😀']) assert.equal(encode(text, japanese), undefined, text);
    assert.equal(firstUnheld('表示 and ☃', japanese), '☃');
    assert.equal(firstUnheld('表示', japanese), undefined);
    const chinese = await detected(inEncoding(texts.chinese, 'gb18030'));
    assert.deepEqual(encode('😀 é', chinese), inEncoding('😀 é', 'gb18030'));
  });

  test('half a surrogate pair is held by none', async () => {
    const all: EncodedText[] = [
      { encoding: 'utf-8', mark: 0 },
      { encoding: 'utf-16le', mark: 2 },
      { encoding: 'utf-16be', mark: 2 },
      { encoding: 'latin-1', mark: 0 },
      { encoding: '8-bit', mark: 0 },
      await detected(inEncoding(texts.chinese, 'gb18030')),
    ];
    for (const encoded of all) {
      assert.equal(encode('a\ud83d', encoded), undefined);
      assert.deepEqual(encode('a', encoded)?.includes('a'), true);
    }
  });

  test('any bytes are read without an error, and come out the same again', async () => {
    const high = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => bytes.map((byte) => byte | 0x80));
    const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((text) => Buffer.from(text));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(high, ascii), { maxLength: 8 }), async (parts) => {
        const bytes = Buffer.concat(parts);
        const encoded = await detectEncoding(bytes);
        if (encoded === 'binary' || encoded.encoding === '8-bit') return;
        const text = decode(bytes, encoded);
        const odd = bytes.length - encoded.mark - Buffer.byteLength(text, 'latin1') * 2;
        if (encoded.encoding.startsWith('utf-16') && (odd === 1 || !text.isWellFormed())) return;
        assert.deepEqual(
          Buffer.concat([bytes.subarray(0, encoded.mark), encode(text, encoded) ?? Buffer.alloc(0)]),
          bytes,
        );
      }),
      { numRuns: 200 },
    );
  });
});

test('plain UTF-8 loads neither the detector nor the tables', () => {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ resolve: (name, context, next) => (loaded.push(name), next(name, context)) });
    const { detectEncoding } = await import(${JSON.stringify(new URL('../../src/tools/text/index.ts', import.meta.url).href)});
    await detectEncoding(Buffer.from('\\ufeffcafé 中文 \\n'));
    await detectEncoding(Buffer.from('abcdefgh', 'utf16le'));
    const before = loaded.filter((name) => /chardet|iconv/.test(name)).length;
    await detectEncoding(Buffer.from('caf\\xe9 \\n', 'latin1'));
    console.log(before, loaded.filter((name) => /chardet|iconv/.test(name)).length > 0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(stdout, '0 true\n', stderr);
});
