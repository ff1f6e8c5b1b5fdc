/** What echo and printf write. */
export function writtenBy(program: string | undefined, texts: string[]): string | undefined {
  if (program === 'echo') return echoed(texts);
  return program === 'printf' ? printed(texts) : undefined;
}

function echoed(texts: string[]): string | undefined {
  const options = texts.findIndex((text) => !/^-[neE]+$/.test(text));
  const count = options === -1 ? texts.length : options;
  const letters = texts.slice(0, count).join('');
  const text = texts.slice(count).join(' ');
  if (letters.includes('e') && text.includes('\\')) return undefined;
  return letters.includes('n') ? text : `${text}\n`;
}

/** A format without anything to fill in, or one that is a text only. */
function printed([format = '', ...texts]: string[]): string | undefined {
  if (format.startsWith('-')) return undefined;
  const plain = format.replaceAll(String.raw`\n`, '\n');
  if (!/[%\\]/.test(plain)) return plain;
  const [, end] = /^%s(\n?)$/.exec(plain) ?? [];
  return end === undefined || texts.some((text) => text.includes('\0'))
    ? undefined
    : texts.map((text) => `${text}${end}`).join('');
}
