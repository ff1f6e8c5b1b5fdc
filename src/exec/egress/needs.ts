/** What egress is made from, and what it tells. */
import type { Resolve } from '../fetch/index.ts';

/** A plain-HTTP name that the proxy serves itself, adding what the command must not see. */
export interface CredentialAlias {
  /** The name that commands use: `http://<alias>/`. */
  alias: string;
  /** The https address that it stands for, a path included. */
  to: string;
  header: string;
  /** The header's value; undefined where the variable isn't set: then the alias says so and adds nothing. */
  value: string | undefined;
  /** The variable's name, for messages. */
  variable: string;
  /** Who is told to use the alias, through the environment. */
  as?: 'npm' | 'git' | undefined;
}

export interface EgressLimits {
  /** Connections of one command at once; 128. */
  connections: number;
  /** Connections of one command in all, refused ones too; 10,000. */
  total: number;
  /** Bytes of the head of a request or an answer; 32,768. */
  head: number;
  /** Milliseconds without a byte in either direction; 600,000. */
  idle: number;
  /** Milliseconds until a connection stands; 20,000. */
  connect: number;
}

export const defaultLimits: EgressLimits = {
  connections: 128,
  total: 10_000,
  head: 32_768,
  idle: 600_000,
  connect: 20_000,
};

export interface EgressOptions {
  /** Hosts that the user granted. */
  hosts: readonly string[];
  credentials: readonly CredentialAlias[];
  /** The user's proxy for an address: it looks names up itself, but they are checked here all the same. */
  proxyFor?: (url: URL) => URL | undefined;
  /** Looks names up; the system does when left out. */
  resolve?: Resolve;
  /** Addresses that may be connected to although they aren't public. For tests alone: no setting leads here. */
  allowAddresses?: readonly string[];
  /** Further certificates to trust, PEM. */
  ca?: string;
  limits?: Partial<EgressLimits>;
}

/** One connection that a command asked for; bytes are those of its content. */
export interface Connection {
  call?: string;
  host: string;
  port: number;
  allowed: boolean;
  reason: string;
  sent?: number;
  received?: number;
}
