/** What stopped a command before, or outside, a session's own end: in words, and as an exit code. */
import { UsageError } from './arguments.ts';

export interface Failure {
  outcome: 'usage' | 'error' | 'cancelled';
  exit: number;
  /** A code of the error catalogue (docs/errors.md). */
  code?: string;
  /** What went wrong, without the way out. */
  detail: string;
  /** For people: with the way out, and for a defect with the place in the program. */
  text: string;
}

/** A command can't do its work for a reason outside of Reins; the message is for people. Exit code 1. */
export class CannotRun extends Error {}

/** An error of the catalogue, known by its shape: this file is loaded before the harness and mustn't load it. */
interface CatalogueError extends Error {
  code: string;
  detail: string;
  class: string;
}

function isCatalogueError(error: unknown): error is CatalogueError {
  return error instanceof Error && error.name === 'ReinsError' && 'detail' in error && 'class' in error;
}

/** What Node throws where it is asked for the current folder and somebody has removed that. */
function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}

/** Whether a message names a command of Reins, and so the way out. */
export function namesCommand(message: string): boolean {
  return /\breins \w/.test(message);
}

export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) {
    return { outcome: 'usage', exit: 2, code: 'usage-arguments', detail: error.message, text: error.message };
  }
  if (isCatalogueError(error)) {
    const { code, detail } = error;
    const isUsage = error.class === 'usage';
    // That there is a help is no news where a command is named already.
    const text = code === 'usage-arguments' && namesCommand(detail) ? detail : error.message;
    return { outcome: isUsage ? 'usage' : 'error', exit: isUsage ? 2 : 1, code, detail, text };
  }
  if (isFolderGone(error)) {
    const detail = 'The current folder doesn’t exist any more.';
    return {
      outcome: 'usage',
      exit: 2,
      code: 'workspace-missing',
      detail,
      text: `${detail} Name an existing one with -C.`,
    };
  }
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof CannotRun) return { outcome: 'error', exit: 1, detail, text: detail };
  const place = error instanceof Error && error.stack !== undefined ? error.stack : detail;
  return {
    outcome: 'error',
    exit: 1,
    code: 'defect',
    detail,
    text: `Reins itself failed; please report this.\n${place}`,
  };
}
