// A small language server that finds the word "bad" and publishes it by itself, an outdated finding first.
let held = Buffer.alloc(0);

const send = (message) => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
};

const publish = ({ uri, version }, text) => {
  const diagnostics = text.split('\n').flatMap((line, number) => {
    const range = { start: { line: number, character: 0 }, end: { line: number, character: 3 } };
    return line === 'bad' ? [{ range, severity: 1, message: 'bad word' }] : [];
  });
  const outdated = [{ range: { start: { line: 0, character: 0 } }, message: 'of an older text' }];
  send({ method: 'textDocument/publishDiagnostics', params: { uri, version: version - 1, diagnostics: outdated } });
  send({ method: 'textDocument/publishDiagnostics', params: { uri, version, diagnostics } });
};

const handle = ({ id, method, params }) => {
  if (method === 'initialize') {
    send({ id: 'settings', method: 'workspace/configuration', params: { items: [{}] } });
    send({ id, result: { capabilities: { textDocumentSync: 1 } } });
  }
  if (method === 'textDocument/didOpen') publish(params.textDocument, params.textDocument.text);
  if (method === 'textDocument/didChange') publish(params.textDocument, params.contentChanges[0].text);
};

process.stdin.on('data', (chunk) => {
  held = Buffer.concat([held, chunk]);
  for (;;) {
    const end = held.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/.exec(held.toString('latin1', 0, end))?.[1]);
    if (end < 0 || held.length < end + 4 + length) return;
    handle(JSON.parse(held.toString('utf8', end + 4, end + 4 + length)));
    held = held.subarray(end + 4 + length);
  }
});
