/** PDF files made by hand. */

export interface PdfOptions {
  /** It can’t be opened without a password. */
  encrypted?: boolean;
}

/** What a page draws: lines of text, or its content stream with the filter that it is packed with. */
export type PdfPage = string | { content: Buffer; filter?: string };

export function pdf(pages: readonly PdfPage[], { encrypted = false }: PdfOptions = {}): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    ...pages.flatMap((page, index) => [pageObject(5 + index * 2), streamObject(page)]),
  ];
  const key = encrypted ? objects.push(Buffer.from(lock)) : undefined;
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const places: number[] = [];
  const length = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [index, object] of objects.entries()) {
    places.push(length());
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n'));
  }
  const start = length();
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const security = key === undefined ? '' : `/Encrypt ${key} 0 R /ID [<00><00>]`;
  parts.push(
    Buffer.from(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n${rows}`),
    Buffer.from(`trailer\n<< /Size ${places.length + 1} /Root 1 0 R ${security} >>\nstartxref\n${start}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

const lock = `<< /Filter /Standard /V 1 /R 2 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> /P -4 >>`;

function pageObject(content: number): Buffer {
  return Buffer.from(
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${content} 0 R >>`,
  );
}

function streamObject(page: PdfPage): Buffer {
  const { content, filter } = typeof page === 'string' ? { content: textContent(page), filter: undefined } : page;
  const packed = filter === undefined ? '' : `/Filter /${filter}`;
  return Buffer.concat([
    Buffer.from(`<< /Length ${content.length} ${packed} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
}

function textContent(text: string): Buffer {
  const lines =
    text === '' ? [] : text.split('\n').map((line) => `(${line.replaceAll(/[\\()]/g, String.raw`\$&`)}) Tj T*`);
  return Buffer.from(`BT /F1 12 Tf 14 TL 72 720 Td ${lines.join(' ')} ET`, 'latin1');
}
