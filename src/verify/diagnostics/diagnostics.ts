/** Looks for mistakes that a change has brought into a file: its syntax, and what the user's linters and language servers say. */
import { findingsText, newOnly, type Finding, type Found } from './finding.ts';
import { grammarOf } from './languages.ts';
import { commandFor, linterFindings, type Linter, type LinterRun } from './linter.ts';
import { LanguageServer, type ServerSettings, type StartProgram } from './server/index.ts';
import { syntaxFindings } from './syntax.ts';
import { textOf } from './text.ts';

export interface DiagnosticsOptions {
  /** The real path of the workspace. */
  workspace: string;
  syntax: boolean;
  linters: readonly Linter[];
  servers: readonly ServerSettings[];
  /** Milliseconds that the look after one call may take. */
  timeout: number;
  /** The bytes of a file by real path; null where there is none. */
  read(path: string): Promise<Buffer | null>;
  /** The path as people write it, relative to the workspace. */
  display(path: string): string;
  /** Whether a glob of the settings is for a path as people write it. */
  matches(glob: string, name: string): boolean;
  /** Runs a command in the sandbox. */
  run(request: { command: string; timeout: number }, signal: AbortSignal): Promise<LinterRun>;
  start: StartProgram;
}

export interface Diagnostics {
  before(paths: readonly string[]): Promise<void>;
  after(paths: readonly string[], signal: AbortSignal): Promise<string>;
  /** Ends the language servers. */
  close(): Promise<void>;
}

export function createDiagnostics(options: DiagnosticsOptions): Diagnostics {
  return new FileDiagnostics(options);
}

/** Files looked at after one call. */
const mostFiles = 20;
/** Earlier looks that are remembered. */
const mostRemembered = 200;

/** Somebody who looks at a file. Undefined: nothing can be told. */
type Look = (text: string, signal: AbortSignal) => Promise<Finding[] | undefined>;

interface Looker {
  key: string;
  look: Look;
  /** It looks at the file on the disk, so it must be asked before the change about what was before. */
  isLive: boolean;
}

/** What somebody found in a text. */
interface Seen {
  text: string;
  findings: Finding[];
}

class FileDiagnostics implements Diagnostics {
  readonly #options: DiagnosticsOptions;
  readonly #servers: LanguageServer[];
  /** Texts before a change, by path. */
  readonly #texts = new Map<string, string>();
  /** The last that each found in a file: mostly what is there before the next change. */
  readonly #seen = new Map<string, Seen>();

  constructor(options: DiagnosticsOptions) {
    this.#options = options;
    this.#servers = options.servers.map((server) => new LanguageServer(server, options.workspace, options.start));
  }

  async before(paths: readonly string[]): Promise<void> {
    const limit = AbortSignal.timeout(this.#options.timeout);
    for (const path of paths.slice(0, mostFiles)) {
      const lookers = this.#lookersFor(path);
      const text = lookers.length === 0 ? undefined : textOf(await this.#read(path));
      this.#texts.delete(path);
      if (text === undefined) continue;
      this.#texts.set(path, text);
      for (const looker of lookers) if (looker.isLive) await this.#ask(looker, text, limit);
    }
  }

  async after(paths: readonly string[], signal: AbortSignal): Promise<string> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeout)]);
    const parts: string[] = [];
    for (const path of paths.slice(0, mostFiles)) {
      if (limit.aborted) break;
      const part = await this.#lookAfter(path, limit);
      if (part !== '') parts.push(part);
    }
    return parts.join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  async #lookAfter(path: string, limit: AbortSignal): Promise<string> {
    const lookers = this.#lookersFor(path);
    const text = lookers.length === 0 ? undefined : textOf(await this.#read(path));
    if (text === undefined) return '';
    const before = this.#texts.get(path) ?? '';
    this.#texts.delete(path);
    const findings: Finding[] = [];
    for (const looker of lookers) {
      const earlier = this.#seen.get(looker.key);
      const now = await this.#ask(looker, text, limit);
      if (now === undefined || now.length === 0) continue;
      const then = earlier?.text === before ? earlier.findings : await this.#foundIn(before, looker, limit);
      if (then === undefined) continue;
      for (const finding of newOnly(found(before, then), found(text, now))) findings.push(finding);
    }
    return findingsText(this.#options.display(path), findings, text.split('\n'));
  }

  /** What was in a text that is on the disk no more. */
  async #foundIn(text: string, { look, isLive }: Looker, limit: AbortSignal): Promise<Finding[] | undefined> {
    if (text === '') return [];
    return isLive ? undefined : bounded(look, text, limit);
  }

  async #ask({ key, look }: Looker, text: string, limit: AbortSignal): Promise<Finding[] | undefined> {
    const known = this.#seen.get(key);
    if (known?.text === text) return known.findings;
    this.#seen.delete(key);
    const findings = await bounded(look, text, limit);
    if (findings === undefined) return undefined;
    this.#seen.set(key, { text, findings });
    const [oldest] = this.#seen.keys();
    if (oldest !== undefined && this.#seen.size > mostRemembered) this.#seen.delete(oldest);
    return findings;
  }

  #lookersFor(path: string): Looker[] {
    const { syntax, linters } = this.#options;
    const name = this.#options.display(path);
    const isMeant = ({ files }: { files: string }) => this.#options.matches(files, name);
    const grammar = syntax ? grammarOf(path) : undefined;
    const lookers: Looker[] = [];
    if (grammar !== undefined) {
      lookers.push({ key: `syntax ${path}`, look: (text) => syntaxFindings(text, grammar), isLive: false });
    }
    for (const linter of linters.filter(isMeant)) {
      const look: Look = (_, limit) => this.#lint(linter, name, limit);
      lookers.push({ key: `${linter.command} ${path}`, look, isLive: true });
    }
    for (const server of this.#servers.filter(({ settings }) => isMeant(settings))) {
      const look: Look = (text) => server.findings(path, text);
      lookers.push({ key: `server ${server.settings.command} ${path}`, look, isLive: true });
    }
    return lookers;
  }

  async #lint(linter: Linter, name: string, limit: AbortSignal): Promise<Finding[] | undefined> {
    const request = { command: commandFor(linter, name), timeout: this.#options.timeout };
    return linterFindings(linter, name, await this.#options.run(request, limit));
  }

  async #read(path: string): Promise<Buffer | null> {
    return this.#options.read(path).catch(() => null); // What can't be read is not looked at.
  }
}

/** A look that fails, or takes too long, says nothing. */
async function bounded(look: Look, text: string, limit: AbortSignal): Promise<Finding[] | undefined> {
  if (limit.aborted) return undefined;
  const done = new AbortController();
  const late = new Promise<undefined>((resolve) => {
    limit.addEventListener('abort', () => resolve(undefined), { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([look(text, limit), late]);
  } catch {
    return undefined;
  } finally {
    done.abort();
  }
}

function found(text: string, findings: readonly Finding[]): Found {
  return { lines: text.split('\n'), findings };
}
