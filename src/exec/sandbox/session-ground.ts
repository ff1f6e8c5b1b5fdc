/** What a session's sandbox stands on, whichever layer enforces it: its private folder, what commands are shown, who commits. */
import { commandEnvironment } from '../environment.ts';
import type { Environment } from '../needs.ts';
import { hiddenVariables, homeInside, prepareGround, writeIdentity } from './ground.ts';
import { hiddenFolders, hideableHome } from './hide.ts';
import type { UseLimits } from './limits.ts';
import { NestedWatch } from './nested.ts';
import { buildProfile, unfitWorkspace, type Ground, type Profile } from './profile.ts';
import { removeForeignCommonDir, removeMadeSettings } from './protect.ts';
import type { Obstacle } from './sandbox.ts';
import { removeScratch } from './scratch.ts';

export interface SandboxParts {
  /** Real path of the folder that commands may write. */
  workspace: string;
  /** The user's environment. */
  environment: Environment;
  secretNames?: readonly string[] | undefined;
  /** Names of variables that are passed on although they hold secrets. */
  pass?: readonly string[] | undefined;
  /** Further folders that no command may see: the state of Reins. */
  hide?: string[] | undefined;
  /** Further paths of the user's choice that commands may read, or write as well; `~/` stands for home. */
  grants?: { read: readonly string[]; write: readonly string[] } | undefined;
  /** Those that aren't the usual ones. */
  limits?: Partial<UseLimits> | undefined;
}

export interface Refused {
  refused: string;
  obstacle: Obstacle;
}

export class SessionGround {
  /** Real paths of all folders that are hidden. */
  readonly hidden: string[];
  readonly #parts: SandboxParts;
  /** Real path of the user's home, where it can be hidden. */
  readonly #userHome: string | undefined;
  #ground: Ground | undefined;
  #profile: Profile | undefined;
  #nested: NestedWatch | undefined;
  #identity: Promise<void> | undefined;
  #madeSettings = false;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.#userHome = hideableHome(parts.environment['HOME']);
    this.hidden = hiddenFolders(this.#userHome, parts.workspace);
  }

  /** Home as commands see it where it can be shown at its place. */
  get home(): string {
    return homeInside(this.#parts.environment);
  }

  /** Why the workspace can't be held at all. */
  unfit(): Refused | undefined {
    const homes = this.#userHome === undefined ? [] : [this.#userHome];
    const refused = unfitWorkspace(this.#parts.workspace, [...this.hidden, ...homes]);
    return refused === undefined ? undefined : { refused, obstacle: 'workspace' };
  }

  /** What the next command is shown; makes the private folder for the first one. */
  profile(): Profile | Refused {
    const unfit = this.unfit();
    if (unfit !== undefined) return unfit;
    this.#ground ??= prepareGround({ ...this.#parts, userHome: this.#userHome, hidden: this.hidden });
    const profile = buildProfile(this.#ground);
    if ('refused' in profile) return { ...profile, obstacle: 'workspace' };
    this.#profile = profile;
    this.#nested ??= new NestedWatch(this.#ground.workspace, this.#ground.home);
    this.#madeSettings ||= profile.madeSettings;
    return profile;
  }

  /** Resolves when commands can know who commits. */
  async identify(): Promise<void> {
    const scratch = this.#ground?.scratch;
    if (scratch !== undefined) await (this.#identity ??= writeIdentity(scratch, this.#parts));
  }

  /** What commands get of the user's environment. */
  environment(): { [name: string]: string | undefined } {
    const { workspace, environment, secretNames, pass } = this.#parts;
    const all = commandEnvironment(environment, workspace, { secretNames, pass });
    return Object.fromEntries(Object.entries(all).filter(([name]) => !hiddenVariables.test(name)));
  }

  /** Takes away what a command may have left to lead Git elsewhere, and says so. */
  inspect(): string | undefined {
    const git = this.#profile?.git;
    const removed = git === undefined ? undefined : removeForeignCommonDir(git);
    const said = [...(removed === undefined ? [] : [removed]), ...(this.#nested?.disarm() ?? [])];
    return said.length === 0 ? undefined : said.join(' ');
  }

  async close(): Promise<void> {
    if (this.#madeSettings) removeMadeSettings(this.#parts.workspace);
    await Promise.allSettled([this.#identity]);
    const scratch = this.#ground?.scratch;
    this.#ground = undefined;
    if (scratch !== undefined) await removeScratch(scratch);
  }
}
