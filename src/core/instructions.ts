/** Instruction files: what the record holds of them. Which are in force is read off the conversation, so that nobody keeps count. */

/** One instruction file as the model is told of it. */
export interface InstructionFile {
  /** Relative to the workspace where the file lies in its repository (`../AGENTS.md` for one above), else absolute. */
  path: string;
  /** SHA-256 and bytes of the whole file. */
  hash: string;
  bytes: number;
  /** Bytes of it that the model is shown, where that isn't all. */
  shown?: number;
  /** The same text is in the conversation already and counts again; it isn't repeated. */
  before?: true;
}

export interface LeftOutInstructions {
  path: string;
  why: string;
}

/** In a setup: the files of its standing part, nearest last, and what was left out. Their texts are in the prompt. */
export interface SetupInstructions {
  files: InstructionFile[];
  leftOut: LeftOutInstructions[];
}

export interface InstructionData {
  /** What the model is told of instruction files in the middle of a session: of further folders, changed ones, and once more after a compaction. */
  instructions: {
    files: InstructionFile[];
    /** Files that were in force and hold no longer. */
    gone?: string[];
    leftOut?: LeftOutInstructions[];
    /** Exactly what the model sees. */
    text: string;
  };
}
