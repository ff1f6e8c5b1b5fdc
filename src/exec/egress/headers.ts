/** Headers on their way through the proxy: what belongs to one connection stays there. */

/** RFC 9110, 7.6.1, and what clients tell proxies. Framing is made anew for the next connection. */
const ofOneConnection = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Names and values in turn, as Node gives and takes them; without those in `without` (lower case). */
export function passedOn(raw: readonly string[], without: readonly string[] = []): string[] {
  const pairs = pairsOf(raw);
  const named = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => name !== 'content-length');
  const dropped = new Set([...ofOneConnection, ...named, ...without]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}

/** Changes the values of one header. */
export function withValues(raw: readonly string[], header: string, change: (value: string) => string): string[] {
  return pairsOf(raw).flatMap(([name, value]) => [name, name.toLowerCase() === header ? change(value) : value]);
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
}
