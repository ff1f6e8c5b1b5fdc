/** Findings of a language server for one file at a time (protocol 3.17: pulled where it can be asked, else as it publishes them). */
import { pathToFileURL } from 'node:url';
import type { Finding } from '../finding.ts';
import { Connection } from './connection.ts';
import type { StartProgram } from './program.ts';

export interface ServerSettings {
  /** A glob of the files that it is for. */
  files: string;
  /** A line for the shell. */
  command: string;
  /** As the protocol names it. */
  language: string;
}

interface Opened {
  connection: Connection;
  pulls: boolean;
}

/** Of the four degrees only errors and warnings are worth a word. */
const warning = 2;

export class LanguageServer {
  readonly settings: ServerSettings;
  readonly #root: string;
  readonly #start: StartProgram;
  #opened: Promise<Opened | undefined> | undefined;
  /** From its start on: one that never answers must be ended, too. */
  #connection: Connection | undefined;
  readonly #versions = new Map<string, number>();
  readonly #published = new Map<string, (diagnostics: unknown) => void>();

  /** `root`: the real path of the workspace. */
  constructor(settings: ServerSettings, root: string, start: StartProgram) {
    this.settings = settings;
    this.#root = root;
    this.#start = start;
  }

  /** What it finds in the text; undefined where it can't be asked. It takes as long as the server does: bound it outside. */
  async findings(path: string, text: string): Promise<Finding[] | undefined> {
    this.#opened ??= this.#open();
    const opened = await this.#opened;
    if (opened === undefined || opened.connection.isOver) return undefined;
    const uri = pathToFileURL(path).href;
    const published = new Promise<unknown>((resolve) => this.#published.set(uri, resolve));
    this.#show(opened.connection, uri, text);
    if (!opened.pulls) return this.#read(await published);
    const report = await opened.connection.ask('textDocument/diagnostic', { textDocument: { uri } });
    const { items } = (report ?? {}) as { items?: unknown };
    return this.#read(items);
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  async #open(): Promise<Opened | undefined> {
    const program = await this.#start(this.settings.command);
    if ('refused' in program) return undefined;
    const connection = new Connection(program, (method, params) => this.#hear(method, params));
    this.#connection = connection;
    const rootUri = pathToFileURL(this.#root).href;
    const answer = await connection.ask('initialize', {
      processId: null,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: 'workspace' }],
      capabilities: {
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { diagnostic: {}, publishDiagnostics: { versionSupport: true }, synchronization: {} },
      },
    });
    if (answer === undefined) return undefined;
    connection.tell('initialized', {});
    const { capabilities } = answer as { capabilities?: { diagnosticProvider?: unknown } };
    return { connection, pulls: capabilities?.diagnosticProvider !== undefined };
  }

  #show(connection: Connection, uri: string, text: string): void {
    const version = (this.#versions.get(uri) ?? 0) + 1;
    this.#versions.set(uri, version);
    if (version === 1) {
      const languageId = this.settings.language;
      connection.tell('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
      return;
    }
    connection.tell('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
  }

  #hear(method: string, params: unknown): void {
    if (method !== 'textDocument/publishDiagnostics') return;
    const { uri, version, diagnostics } = (params ?? {}) as { uri?: unknown; version?: unknown; diagnostics?: unknown };
    if (typeof uri !== 'string') return;
    // What it says of an older text is not about this one.
    if (typeof version === 'number' && version < (this.#versions.get(uri) ?? 0)) return;
    this.#published.get(uri)?.(diagnostics);
  }

  #read(diagnostics: unknown): Finding[] | undefined {
    if (!Array.isArray(diagnostics)) return undefined;
    const source = this.settings.command.trim().split(/\s+/)[0] ?? 'server';
    return diagnostics.flatMap((diagnostic) => findingOf(diagnostic, source));
  }
}

interface Diagnostic {
  range?: { start?: { line?: unknown; character?: unknown } };
  severity?: unknown;
  message?: unknown;
}

function findingOf(diagnostic: unknown, source: string): Finding[] {
  if (typeof diagnostic !== 'object' || diagnostic === null) return [];
  const { range, severity = 1, message } = diagnostic as Diagnostic;
  const { line, character } = range?.start ?? {};
  if (typeof line !== 'number' || typeof message !== 'string') return [];
  if (typeof severity === 'number' && severity > warning) return [];
  return [{ line: line + 1, ...(typeof character === 'number' && { column: character + 1 }), what: message, source }];
}
