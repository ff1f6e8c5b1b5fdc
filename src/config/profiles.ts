/** Finds the profile of a run: a file of the user's, a shipped one, or a file of the project's that is trusted. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ReinsError } from '../core/index.ts';
import { admit, type Admission, type Admitted } from './admit.ts';
import { entriesOf, type Entry } from './entries.ts';
import { readLayer, throwProblems, type FileLayer } from './file-layer.ts';
import { nearest } from './nearest.ts';
import { projectSettings, type Places } from './places.ts';
import { printable, quoted } from './quote.ts';
import type { Notice } from './settings.ts';
import { shippedProfiles } from './shipped-profiles.ts';
import { siftLoosening } from './tighten.ts';
import { isTrusted, type TrustPlace } from './trust.ts';
import { realWorkspace } from './workspace.ts';

export interface ProfileRow {
  name: string;
  source: 'user' | 'shipped' | 'project';
  file?: string;
  /** What a shipped one is for. */
  about?: string;
}

/** The profile that a run has; `hash` is the SHA-256 of its file. */
export interface ChosenProfile extends Omit<ProfileRow, 'about'> {
  hash?: string;
}

interface ProfilePlaces {
  /** Its real path. */
  workspace: string;
  places: Places;
}

const extension = '.jsonc';
const isName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);

const userFolder = ({ settings }: Places): string => join(dirname(settings), 'profiles');
const projectFolder = (workspace: string): string => join(workspace, dirname(projectSettings), 'profiles');

/** Every profile that can be named here; of one name the first counts. */
export function listProfiles({ workspace, places }: ProfilePlaces): ProfileRow[] {
  const shipped = Object.entries(shippedProfiles).map(([name, { about }]): ProfileRow => {
    return { name, source: 'shipped', about };
  });
  const rows = [...filesIn(userFolder(places), 'user'), ...shipped, ...filesIn(projectFolder(workspace), 'project')];
  return rows.filter(({ name }, index) => rows.findIndex((row) => row.name === name) === index);
}

function filesIn(folder: string, source: 'user' | 'project'): ProfileRow[] {
  return namesIn(folder).map((name) => ({ name, source, file: join(folder, name + extension) }));
}

function namesIn(folder: string): string[] {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith(extension));
    return files
      .map((name) => name.slice(0, -extension.length))
      .filter(isName)
      .toSorted();
  } catch {
    return []; // Without a folder that can be read there are no profiles in it.
  }
}

export interface LoadedProfile {
  chosen: ChosenProfile;
  entries: Entry[];
  notices: Notice[];
  /** Its file, where it has one. */
  layer?: FileLayer;
}

/** `profile-untrusted`, and which one it is. */
export class UntrustedProfile extends ReinsError {
  readonly profile: string;

  constructor(profile: string, detail: string) {
    super('profile-untrusted', detail);
    this.profile = profile;
  }
}

/**
 * The profile by its name, as a layer above `below`. Throws `profile-unknown` with the near names, and `profile-untrusted` for a file
 * of the project's that isn't trusted; what is wrong in a file is in its layer.
 */
export async function loadProfile(
  name: string,
  below: Entry[],
  { places, ...admission }: Admission & { places: Places },
): Promise<LoadedProfile> {
  const found = listProfiles({ workspace: admission.workspace, places }).find((row) => row.name === name);
  if (found === undefined) throw unknownProfile(name, { workspace: admission.workspace, places });
  const { about: _, ...row } = found;
  if (row.file === undefined) {
    const entries = entriesOf(shippedProfiles[name]?.settings ?? {}, () => ({ layer: 'profile', profile: name }));
    return { chosen: row, entries, notices: [] };
  }
  const layer =
    row.source === 'user'
      ? await readLayer(row.file, 'user', { profile: name })
      : await readLayer(row.file, 'project', { profile: name, workspace: admission.workspace });
  if (layer === undefined) throw unknownProfile(name, { workspace: admission.workspace, places });
  const chosen = { ...row, hash: layer.hash };
  if (row.source === 'user' || layer.problems.length > 0) {
    return { chosen, entries: layer.entries, notices: [], layer };
  }
  return { chosen, ...admitted(name, layer, below, admission), layer };
}

/** A project's profile counts as a whole or not at all, and loosens nothing even then. */
function admitted(name: string, layer: FileLayer, below: Entry[], admission: Admission): Omit<LoadedProfile, 'chosen'> {
  const { file, hash, entries } = layer;
  if (admission.trust !== true && !isTrusted({ ...admission, hash, profile: name }).trusted) {
    const way = `Read it, then trust it with reins trust --profile ${name}, or with --trust for one run.`;
    const text = `The profile ${name} is the project’s own (${printable(file)}) and isn’t trusted. ${way}`;
    throw new UntrustedProfile(name, text);
  }
  const { kept, leftOut } = siftLoosening(entries, below);
  if (leftOut.length === 0) return { entries: kept, notices: [] };
  const named = leftOut.map(({ path, value }) => `${path.join('.')} ${quoted(value)}`);
  const text =
    `The project’s profile ${name} can’t loosen what your settings say; left out: ${named.slice(0, 10).join(', ')}. ` +
    'Say it on the command line, or in a profile of your own.';
  const data = { file, keys: leftOut.map(({ path }) => path.join('.')) };
  return { entries: kept, notices: [{ code: 'profile-loosens', level: 'warning', text, data }] };
}

function unknownProfile(name: string, where: ProfilePlaces): ReinsError {
  const names = listProfiles(where).map((row) => row.name);
  const near = nearest(name, names);
  const folder = printable(userFolder(where.places));
  const hint =
    near === undefined ? `There are ${names.join(', ')}` : `Did you mean ${near}? There are ${names.join(', ')}`;
  return new ReinsError(
    'profile-unknown',
    `There is no profile ${quoted(name)}. ${hint}; your own are files in ${folder}.`,
  );
}

/** A project's profile and what the user's trust in it is; undefined where there is none. Rejects as loading it does. */
export async function profileTrust(
  place: TrustPlace,
  name: string,
): Promise<(Omit<Admitted, 'entries' | 'notices'> & { file: string; hash: string; content: Buffer }) | undefined> {
  const workspace = realWorkspace(place.workspace);
  if (!isName(name)) return undefined;
  const file = join(projectFolder(workspace), name + extension);
  const layer = await readLayer(file, 'project', { profile: name, workspace });
  if (layer === undefined) return undefined;
  throwProblems([layer]);
  const { trusted, leftOut, changed } = await admit(layer, [], { ...place, workspace, profile: name });
  const { hash, content } = layer;
  return { file, hash, content, trusted, leftOut, ...(changed !== undefined && { changed }) };
}
