/**
 * One measurement of the search over many sessions in a process of its own: `make STATE SESSIONS`, `first STATE`, `ask STATE` or `list STATE`.
 * The last line of its output is the result as JSON.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Draft } from '../src/core/index.ts';
import { list, loadSearch, openSession, sessionFolder } from '../src/session/index.ts';
import { indexFile } from '../src/session/index-file.ts';
import { median } from './measure/statistics.ts';

const eventsInSession = 30;
const wordsInText = 80;
const source = { wire: 'anthropic', model: 'bench' };

/** Always the same numbers, from 0 to 1. */
let seed = 1;
function random(): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}

/** A few words are in nearly every text, most are rare. */
function word(): string {
  return `word${Math.floor(20_000 ** random())}`;
}

const text = (): string => Array.from({ length: wordsInText }, word).join(' ');

function drafts(index: number): Draft[] {
  const workspace = `/bench/workspace-${index % 20}`;
  const all: Draft[] = [
    { kind: 'session', data: { format: 4, reins: 'bench', workspace } },
    { kind: 'input', data: { from: 'user', text: `Task ${index}: ${text()}` } },
  ];
  for (let turn = 1; all.length < eventsInSession; turn += 1) {
    const path = `src/part-${Math.floor(random() * 50)}/file-${Math.floor(random() * 40)}.ts`;
    const call = { type: 'call' as const, id: `c${turn}`, name: 'edit', arguments: { path } };
    const parts = [{ type: 'text' as const, text: text() }, call];
    const changes = [{ path, before: null, after: null }];
    all.push(
      { kind: 'reply', data: { request: 'r', source, parts, stop: 'calls', firstByte: 1, elapsed: 2 } },
      {
        kind: 'result',
        data: {
          call: `e${all.length}/0`,
          tool: 'edit',
          outcome: random() < 0.1 ? 'error' : 'ok',
          text: text(),
          changes,
        },
      },
    );
  }
  return [...all, { kind: 'stop', data: { reason: 'completed', detail: 'Done.', answer: text() } }];
}

/** Written as plain files: how fast they are recorded is measured elsewhere. */
function make(state: string, count: number) {
  let bytes = 0;
  for (let index = 0; index < count; index += 1) {
    const at = Date.UTC(2026, 0, 1) + index * 600_000;
    const day = new Date(at).toISOString().replaceAll(/\D/g, '');
    const folder = sessionFolder(state, `${day.slice(0, 8)}-${day.slice(8, 14)}-${String(index).padStart(6, '0')}`);
    mkdirSync(folder, { recursive: true });
    const lines = drafts(index).map((draft, place) => {
      const parent = place === 0 ? null : `e${place - 1}`;
      return `${JSON.stringify({ id: `e${place}`, parent, at: at + place, ...draft, prev: null })}\n`;
    });
    writeFileSync(join(folder, 'log.jsonl'), lines.join(''));
    bytes += statSync(join(folder, 'log.jsonl')).size;
  }
  return { bytes };
}

async function first(state: string) {
  const { search } = await loadSearch();
  const began = performance.now();
  search(state, { words: 'word1' });
  return { elapsed: performance.now() - began, bytes: statSync(indexFile(state)).size };
}

const queries = {
  'a rare word': { words: 'word19876' },
  'a word that is everywhere': { words: 'word1' },
  'three words': { words: 'word7 word70 word700' },
  'a beginning': { words: 'word1234*' },
  'words in one workspace': { words: 'word30', workspace: '/bench/workspace-7' },
  'a path, without words': { paths: ['src/part-7/file-7.ts'] },
  'a word among errors': { words: 'word300', outcomes: ['error'] },
  'what is nowhere': { words: 'absent' },
} as const;

/** Each answer looks at every session first, whether its log has grown. */
async function ask(state: string) {
  const { search } = await loadSearch();
  const answers: { [name: string]: number[] } = {};
  for (const [name, query] of Object.entries(queries)) {
    answers[name] = Array.from({ length: 7 }, () => {
      const began = performance.now();
      search(state, query);
      return performance.now() - began;
    });
  }
  const grown: number[] = [];
  const id = list(state)[5]?.id ?? '';
  for (let round = 0; round < 5; round += 1) {
    const session = await openSession(state, id);
    await session.append({
      parent: session.skeleton.head,
      at: Date.now(),
      kind: 'notice',
      data: { code: 'b', level: 'info', text: text() },
    });
    await session.close();
    const began = performance.now();
    search(state, { words: 'word19876' });
    grown.push(performance.now() - began);
  }
  return { answers, grown: median(grown) };
}

function listing(state: string) {
  const elapsed = Array.from({ length: 5 }, () => {
    const began = performance.now();
    list(state);
    return performance.now() - began;
  });
  return { elapsed };
}

const [task, state = '', argument = ''] = process.argv.slice(2);
const tasks: { [task: string]: () => unknown } = {
  make: () => make(state, Number(argument)),
  first: () => first(state),
  ask: () => ask(state),
  list: () => listing(state),
};
process.stdout.write(`${JSON.stringify(await tasks[task ?? '']?.())}\n`);
