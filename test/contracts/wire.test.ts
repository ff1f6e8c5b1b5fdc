import { testWireFailures } from './wire-failures.ts';
import { testWirePairs } from './wire-pairs.ts';
import { peers } from './wire-peers.ts';
import { testWireContract } from './wire.ts';

for (const peer of peers) testWireContract(peer);
// How a wire fails doesn't depend on the profile.
for (const peer of peers.slice(0, 4)) testWireFailures(peer);
testWirePairs(peers);
