/** Every pair of wires: a session that began on one goes on with the other and comes back, and nothing sent is illegal. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callsIn, sealedIn, startTalk, stringsIn, type Peer, type Script, type Talk } from './wire-talk.ts';

const thought = (who: string, topic: string) => `A long and winding thought of the ${who} model about ${topic}.`;
const read = (path: string) => ({ name: 'read', arguments: { path } });

function scriptOf(who: string): Script {
  return [
    { thinking: thought(who, 'reading'), text: `The ${who} reads.`, calls: [read('a'), read('b')] },
    { thinking: thought(who, 'editing'), calls: [{ name: 'edit', arguments: { path: 'c' } }] },
  ];
}

/** Answers the calls of the last reply: with an image, then as an error, the others plainly. */
function answer(talk: Talk, count: number, who: string): void {
  const results = [{ images: [talk.image(`${who}-image`)] }, { outcome: 'error' as const }];
  for (let place = 0; place < count; place += 1) talk.result(place, `Result ${place} for the ${who}.`, results[place]);
}

/** Two replies with calls, the results included; gives what only their maker may see again. */
async function work(talk: Talk, who: string): Promise<string[]> {
  const first = await talk.reply();
  answer(talk, callsIn(first).length, who);
  const second = await talk.reply();
  answer(talk, callsIn(second).length, who);
  return [...sealedIn(first), ...sealedIn(second)];
}

const pairsOf = (peers: readonly Peer[]) =>
  peers.flatMap((first) => peers.map((second): [Peer, Peer] => [first, second]));

export function testWirePairs(peers: readonly Peer[]): void {
  describe('a session goes from one wire to another and back', () => {
    for (const [first, second] of pairsOf(peers).filter(([one, other]) => one !== other)) {
      test(`${first.name}, ${second.name}, ${first.name}`, async (t) => {
        const script: Script = [
          ...scriptOf('first'),
          ...scriptOf('second'),
          { thinking: thought('second', 'the end'), text: 'The second is done.' },
          ...scriptOf('first'),
          { text: 'The first is done.' },
        ];
        const talk = await startTalk(t, first, script);
        talk.say('Look at this.', [talk.image('task')]);
        const ofFirst = await work(talk, 'first');
        // In the middle of a turn: results are due, and nothing new was said.
        talk.switchTo(second.target);
        const ofSecond = await work(talk, 'second');
        const last = await talk.reply();
        assertSent(talk, ofSecond, second.returnsReasoning);
        assertSent(talk, ofFirst, false);
        ofSecond.push(...sealedIn(last));
        talk.say('And on.');
        talk.switchTo(first.target);
        ofFirst.push(...(await work(talk, 'first')));
        await talk.reply();
        assertSent(talk, ofFirst, first.returnsReasoning);
        assertSent(talk, ofSecond, false);
        assertTold(talk);
        talk.assertLegal();
      });
    }
  });
}

/** All of it comes back to its maker, and none of it goes anywhere else. */
function assertSent(talk: Talk, sealed: readonly string[], isExpected: boolean): void {
  const sent = new Set(stringsIn(talk.lastAsked().body));
  assert.ok(sealed.length > 0);
  assert.deepEqual(
    sealed.filter((text) => sent.has(text)),
    isExpected ? sealed : [],
  );
}

/** What was said, called, returned and shown is all there, whoever reads it. */
function assertTold(talk: Talk): void {
  const { messages } = talk.lastAsked().question;
  const said = messages.map(({ text }) => text).join('\n');
  for (const text of ['Look at this.', 'The first reads.', 'The second reads.', 'The second is done.', 'And on.'])
    assert.ok(said.includes(text), text);
  const results = messages.flatMap((message) => message.results.map(({ text }) => text));
  assert.equal(results.length, 9);
  assert.equal(messages.flatMap(({ calls }) => calls).length, 9);
  assert.equal(
    messages.reduce((sum, { images }) => sum + images, 0),
    7,
  );
}
