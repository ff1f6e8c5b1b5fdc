/** What a language server needs from elsewhere: a program that goes on, with its input and output. */

export interface Program {
  write(bytes: Buffer): void;
  /** Called for each piece of its standard output. */
  onOutput(listener: (chunk: Buffer) => void): void;
  /** Resolves when it has ended, by itself or not. */
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

/** Starts a line for the shell in the sandbox; refused where there is none that holds. */
export type StartProgram = (command: string) => Promise<Program | { refused: string }>;
