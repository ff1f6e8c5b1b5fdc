/**
 * The way in from a sandbox: its only socket is bound into it, and a relay inside passes on to it what comes to a port of the sandbox's
 * own loopback. The relay is the shipped program (native/egress-relay.c), or, where that can't be used, Node itself.
 */
import { nativeProgram } from '../native.ts';

/** Where both are seen inside; /run is a new, empty folder there. */
const socketPlace = '/run/reins/egress.sock';
const relayPlace = '/run/reins/egress-relay';
const nodePlace = '/run/reins/node';
const host = '127.0.0.1';
/** Of the sandbox's own loopback, where nothing else listens yet. */
const port = 3128;

export const proxyAddress = `http://${host}:${port}`;

export interface Relay {
  kind: 'native' | 'node';
  /** What is shown for it, read-only. */
  mounts: { source: string; place: string }[];
  /** In front of the program that is to run inside. */
  before: string[];
}

/** `native`: the shipped program, or why it can't be used. `node`: the path of Node. */
export function relayFor(node: string, native = nativeProgram('egress-relay')): Relay {
  if ('path' in native) {
    return {
      kind: 'native',
      mounts: [{ source: native.path, place: relayPlace }],
      before: [relayPlace, '--listen', `${host}:${port}`, '--socket', socketPlace, '--'],
    };
  }
  return {
    kind: 'node',
    mounts: [{ source: node, place: nodePlace }],
    before: ['/bin/sh', '-c', startNode, nodePlace, nodeRelay],
  };
}

export function socketMount(source: string): { source: string; place: string } {
  return { source, place: socketPlace };
}

/** The substitution is over when the relay closes its output: then it listens. */
const startNode =
  'REINS_RELAY=$("$0" -e "$1" </dev/null 2>/dev/null 3>&- 4>&- & echo $!); export REINS_RELAY; shift; exec "$@"';

/** The same as the shipped program does, for Node to run. */
const nodeRelay = `
process.title = 'egress-relay';
const net = require('node:net');
const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const outside = net.connect({ path: '${socketPlace}', allowHalfOpen: true });
  for (const [one, other] of [[client, outside], [outside, client]]) {
    one.pipe(other);
    one.on('error', () => other.destroy());
  }
});
server.listen(${port}, '${host}', 512, () => {
  const fs = require('node:fs');
  fs.closeSync(1);
  fs.openSync('/dev/null', 'w'); // Takes its number: no connection may.
});`;
