/** Works out everything that a patch would do, before any of it is done. */
import { basename, dirname, join } from 'node:path';
import { applyHunks, isProblem, openDocument, type Operation, type Replaced } from '../../edits/index.ts';
import type { FileState } from '../../needs.ts';
import { isRefusal } from '../../outcome.ts';
import { count, visible } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { find, missing, type Found } from '../file-access.ts';

type Problem = { problem: string };

interface Planned {
  /** The line of the patch that names the file. */
  line: number;
  real: string;
  name: string;
}

/** What is to be done with one file, with the bytes that are there and those that will be. */
export type FilePlan =
  | (Planned & { kind: 'add'; bytes: Buffer; lines: number })
  | (Planned & { kind: 'delete'; state: FileState })
  | (Planned & {
      kind: 'update';
      state: FileState;
      bytes: Buffer;
      /** What the hunks made of it; absent where the file only moves. */
      edited?: Replaced;
      target?: { real: string; name: string; line: number };
      /** It isn't what the model saw last. */
      isForeign: boolean;
      /** What the model knows of the new bytes: all, a part, or nothing. */
      known: 'whole' | 'part' | 'nothing';
    });

const problemsShown = 5;

export async function planPatch(operations: readonly Operation[], context: ToolContext): Promise<FilePlan[] | Problem> {
  const plans: FilePlan[] = [];
  const problems: string[] = [];
  for (const operation of operations) {
    const plan = await planOne(operation, context);
    if (isProblem(plan)) problems.push(plan.problem);
    else plans.push(plan);
  }
  const twice = whyTwice(plans);
  if (twice !== undefined) problems.push(twice);
  if (problems.length === 0) return plans;
  const left = problems.length - problemsShown;
  return {
    problem: [...problems.slice(0, problemsShown), ...(left > 0 ? [`[${count(left, 'more problem')}]`] : [])].join(
      '\n',
    ),
  };
}

async function planOne(operation: Operation, context: ToolContext): Promise<FilePlan | Problem> {
  const { path, line } = operation;
  const found = await findAt(path, line, context);
  if (isProblem(found)) return found;
  const { state, real, name } = found;
  if (operation.kind === 'add') {
    if (state !== null) return at(line, `${name} exists. Change it with “*** Update File”`);
    const text = operation.content.map((one) => `${one}\n`).join('');
    return { kind: 'add', line, real, name, bytes: Buffer.from(text, 'utf8'), lines: operation.content.length };
  }
  if (state === null) return at(line, withoutStop((await missing(found, context)).text));
  if (operation.kind === 'delete') return planDelete(operation, { ...found, state }, context);
  return planUpdate(operation, { ...found, state }, context);
}

async function findAt(path: string, line: number, context: ToolContext): Promise<Found | Problem> {
  const found = await find(path, 'write', context);
  return 'outcome' in found ? at(line, withoutStop(found.text)) : found;
}

function at(line: number, why: string): Problem {
  return { problem: `Line ${line} of the patch: ${why}.` };
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}

type FoundFile = Found & { state: FileState };

async function planDelete(
  { path, line }: Extract<Operation, { kind: 'delete' }>,
  { real, name, state }: FoundFile,
  context: ToolContext,
): Promise<FilePlan | Problem> {
  const link = await whyLink(path, line, real, context);
  if (link !== undefined) return link;
  const unseen = await whyUnseen(real, state, context);
  if (unseen !== undefined) return at(line, `${name} ${unseen}`);
  return { kind: 'delete', line, real, name, state };
}

/** Why a file may not be deleted: the model doesn't know all that would be lost. */
async function whyUnseen(real: string, state: FileState, context: ToolContext): Promise<string | undefined> {
  const seen = context.seen(real);
  if (seen?.hash === state.hash && seen.whole) return undefined;
  if ('problem' in (await openDocument(state.bytes))) {
    return 'isn’t text, so its content can’t be seen before it is deleted. Delete it with a command';
  }
  if (seen === undefined) return 'hasn’t been read in this session. Read it before it is deleted';
  if (seen.hash !== state.hash) return 'has changed since it was last read. Read it again before it is deleted';
  return 'has been read only in part. Read the rest before it is deleted; if lines are too long to be shown whole, delete it with a command';
}

async function planUpdate(
  operation: Extract<Operation, { kind: 'update' }>,
  { real, name, state }: FoundFile,
  context: ToolContext,
): Promise<FilePlan | Problem> {
  const { path, line, hunks } = operation;
  const seen = context.seen(real);
  // A file that only moves loses nothing.
  if (seen === undefined && hunks.length > 0) {
    return at(line, `${name} hasn’t been read in this session. Read it, then send this patch again`);
  }
  const target = await targetOf(operation, real, context);
  if (isProblem(target)) return target;
  if (target !== undefined) {
    const link = await whyLink(path, line, real, context);
    if (link !== undefined) return link;
  }
  const isForeign = seen !== undefined && seen.hash !== state.hash;
  const edited = hunks.length === 0 ? undefined : await edit(state, operation);
  if (isProblem(edited)) {
    const changed = isForeign ? '\nThe file has changed since it was read: read it again.' : '';
    return { problem: `${name}: ${edited.problem}${changed}` };
  }
  const known = seen === undefined ? 'nothing' : seen.whole && !isForeign ? 'whole' : 'part';
  const optional = { ...(edited !== undefined && { edited }), ...(target !== undefined && { target }) };
  const bytes = edited?.bytes ?? state.bytes;
  return { kind: 'update', line, real, name, state, isForeign, known, bytes, ...optional };
}

async function edit(
  { bytes }: FileState,
  { line, hunks }: Extract<Operation, { kind: 'update' }>,
): Promise<Replaced | Problem> {
  const document = await openDocument(bytes);
  if ('problem' in document) return at(line, withoutStop(document.problem));
  return applyHunks(document, hunks);
}

async function targetOf(
  { target }: Extract<Operation, { kind: 'update' }>,
  from: string,
  context: ToolContext,
): Promise<{ real: string; name: string; line: number } | Problem | undefined> {
  if (target === undefined) return undefined;
  const found = await findAt(target.path, target.line, context);
  if (isProblem(found)) return found;
  const { real, name, state } = found;
  if (real === from) return at(target.line, `${name} is the file itself. Leave out “*** Move to”`);
  if (state !== null) return at(target.line, `${name} exists, and a move replaces nothing. Give another path`);
  return { real, name, line: target.line };
}

/** A link that is named would be left without its file. */
async function whyLink(path: string, line: number, real: string, { files }: ToolContext): Promise<Problem | undefined> {
  const folder = await files.resolve(dirname(path), 'read');
  if (isRefusal(folder) || join(folder, basename(path)) === real) return undefined;
  return at(
    line,
    `${visible(path)} is a link to ${visible(files.display(real))}. Name the file itself, or change the link with a command`,
  );
}

/** The same file, or a file and a folder of the same name, can't be meant twice. */
function whyTwice(plans: readonly FilePlan[]): string | undefined {
  const lines = new Map<string, { name: string; line: number }>();
  for (const plan of plans) {
    const places = plan.kind === 'update' && plan.target !== undefined ? [plan, plan.target] : [plan];
    for (const { real, name, line } of places) {
      const first = lines.get(real);
      if (first !== undefined) {
        return `Line ${line} of the patch: ${name} is named in line ${first.line} already. Put all changes of a file into one section.`;
      }
      lines.set(real, { name, line });
    }
  }
  for (const [real, { name, line }] of lines) {
    for (let folder = dirname(real); folder !== dirname(folder); folder = dirname(folder)) {
      const file = lines.get(folder);
      if (file === undefined) continue;
      return `Line ${line} of the patch: ${name} would lie in ${file.name}, which is a file in line ${file.line}.`;
    }
  }
  return undefined;
}
