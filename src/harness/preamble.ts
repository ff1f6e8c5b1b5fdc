/** The joint for what a repository looks like at the start: Git, through its door, and the files of the workspace. */
import { loadPreamble } from '../context/index.ts';
import type { EventData } from '../core/index.ts';
import type { Files, Git } from '../exec/index.ts';
import { loadContent } from '../safety/index.ts';
import { shownAsData } from '../tools/index.ts';

interface Place {
  /** The real path of the workspace. */
  workspace: string;
  files: Files;
  git: Git;
}

const readmes = ['README.md', 'README', 'README.rst', 'README.txt', 'readme.md'];
/** Bytes of a README of which the head is looked at. */
const mostRead = 64 * 1024;

export async function repositoryLayer(place: Place): Promise<{ layer: string; notices: EventData['notice'][] }> {
  const { preambleLayer } = await loadPreamble();
  const [status, paths, found] = await Promise.all([statusOf(place), pathsOf(place), readmeOf(place)]);
  const { readme, notices } = await screened(found);
  const facts = { paths, ...(status !== undefined && { status }), ...(readme !== undefined && { readme }) };
  return { layer: preambleLayer(facts), notices };
}

type Readme = { name: string; text: string };

/** It stands in the prompt, so what would try to take the model over isn't let in. */
async function screened(readme: Readme | undefined): Promise<{ readme?: Readme; notices: EventData['notice'][] }> {
  if (readme === undefined) return { notices: [] };
  const [suspicion] = (await loadContent()).suspicionsIn(readme.text);
  if (suspicion === undefined) return { readme: { ...readme, text: shownAsData(readme.text) }, notices: [] };
  const text = `The head of ${readme.name} stays out of the prompt: line ${suspicion.line} holds words like those that try to take a model over.`;
  return {
    notices: [{ code: 'preamble-left-out', level: 'warning', text, data: { path: readme.name, line: suspicion.line } }],
  };
}

/** Null bytes part the entries, so that no name can pretend to be two. */
async function entriesOf(git: Git, args: string[]): Promise<string[] | undefined> {
  if (!git.isRepository()) return undefined;
  const result = await git.run(args).catch(() => undefined); // Without Git's answer there is less to say.
  if (result === undefined || result.exit !== 0) return undefined;
  return result.stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
}

function statusOf({ git }: Place): Promise<string[] | undefined> {
  return entriesOf(git, ['status', '--porcelain=v1', '--branch', '--no-renames', '-z']);
}

async function pathsOf({ git, files, workspace }: Place): Promise<string[]> {
  const known = await entriesOf(git, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  if (known !== undefined) return known;
  const top = (await files.list(workspace)).filter((name) => name !== '.git/');
  const inner = await Promise.all(
    top
      .filter((name) => name.endsWith('/'))
      .map(async (folder) => {
        const names = await files.list(`${workspace}/${folder}`).catch(() => []); // A closed folder is told by its name.
        return names.length === 0 ? [folder] : names.map((name) => `${folder}${name}`);
      }),
  );
  return [...top.filter((name) => !name.endsWith('/')), ...inner.flat()];
}

async function readmeOf({ files }: Place): Promise<Readme | undefined> {
  for (const name of readmes) {
    const real = await files.resolve(name, 'read');
    const state = typeof real === 'string' ? await files.read(real) : null;
    if (state === null || 'refused' in state || state.bytes.includes(0)) continue;
    return { name, text: state.bytes.subarray(0, mostRead).toString('utf8') };
  }
  return undefined;
}
