/** The way out for commands: granted hosts only, through a proxy in this process that each sandbox reaches by a socket of its own. */
import { Agent } from 'node:https';
import { join } from 'node:path';
import type { Passage } from '../sandbox/index.ts';
import { makePrivateFolder, removeScratch } from '../sandbox/index.ts';
import { aliasesOf, type Alias } from './alias.ts';
import { Entry } from './entry.ts';
import { environmentFor } from './environment.ts';
import { grantsOf, type Grants } from './grants.ts';
import type { Connection, EgressOptions } from './needs.ts';
import { relayFor, socketMount, type Relay } from './relay.ts';

export interface Egress {
  /** A way out for one sandbox, and for the call whose command it gets. `tell` hears of each connection when it ends. */
  open(tell: (connection: Connection) => void): Promise<Outlet>;
  /** Whether the relay inside is the shipped program, or Node, which costs more. */
  readonly relay: Relay['kind'];
  close(): Promise<void>;
}

export interface Outlet {
  readonly passage: Passage;
  belongsTo(call: string): void;
  /** What was refused, in words for the model. */
  hint(): string | undefined;
  /** Cuts off what goes on, and tells of it. */
  close(): void;
}

/** Throws `config-invalid` for hosts and aliases that are none. `workspace`: its sockets never lie there. */
export function createEgress(workspace: string, options: EgressOptions): Egress {
  return new ProxyEgress(workspace, options);
}

class ProxyEgress implements Egress {
  readonly #workspace: string;
  readonly #options: EgressOptions;
  readonly #grants: Grants;
  readonly #aliases: readonly Alias[];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #entries = new Set<Entry>();
  readonly #relay: Relay;
  #folder: string | undefined;
  #count = 0;

  constructor(workspace: string, options: EgressOptions) {
    this.#workspace = workspace;
    this.#options = options;
    this.#grants = grantsOf(options.hosts, options.allowAddresses ?? []);
    this.#aliases = aliasesOf(options.credentials);
    this.#relay = relayFor(process.execPath);
  }

  get relay(): Relay['kind'] {
    return this.#relay.kind;
  }

  async open(tell: (connection: Connection) => void): Promise<Outlet> {
    this.#folder ??= makePrivateFolder(this.#workspace);
    this.#count += 1;
    const path = join(this.#folder, `${this.#count}.sock`);
    const parts = { options: this.#options, grants: this.#grants, aliases: this.#aliases, agent: this.#agent };
    const entry = new Entry({ path, tell, ...parts });
    await entry.listen();
    this.#entries.add(entry);
    const { mounts, before } = this.#relay;
    return {
      passage: { mounts: [...mounts, socketMount(path)], before, environment: environmentFor(this.#aliases) },
      belongsTo: (call) => entry.ledger.belongsTo(call),
      hint: () => entry.ledger.hint,
      close: () => {
        this.#entries.delete(entry);
        entry.close();
      },
    };
  }

  async close(): Promise<void> {
    for (const entry of this.#entries) entry.close();
    this.#entries.clear();
    this.#agent.destroy();
    const folder = this.#folder;
    this.#folder = undefined;
    if (folder !== undefined) await removeScratch(folder);
  }
}
