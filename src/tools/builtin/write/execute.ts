import type { CallOutcome } from '../../../core/index.ts';
import type { FileState } from '../../needs.ts';
import { failed, isRefusal } from '../../outcome.ts';
import { count, cutLine, linesOf, visible } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { find, unknownArgument, type Found } from '../file-access.ts';
import { newContent } from './content.ts';
import { placeholderIn } from './placeholder.ts';

export interface WriteArguments {
  path: string;
  content: string;
}

const lineShown = 120;

export async function write(args: WriteArguments, context: ToolContext): Promise<CallOutcome> {
  const unknown = unknownArgument(args, ['path', 'content']);
  if (unknown !== undefined) return failed(`${unknown}. Nothing was written; send the call again with this corrected.`);
  const found = await find(args.path, 'write', context);
  if ('outcome' in found) return found;
  const { state, real, name } = found;
  const made = await newContent(args.content, state?.bytes);
  if ('problem' in made) return failed(`${name}: ${made.problem}. Nothing was written.`);
  const { bytes, notes } = made;
  if (state?.bytes.equals(bytes) === true) {
    const wrote = { path: real, hash: state.hash, whole: true };
    return { outcome: 'ok', text: `${name} has exactly this content already.`, changes: [], facts: { wrote } };
  }
  const refused = state === null ? undefined : (whyUnseen(found, state, context) ?? leftOut(args, made.present, name));
  if (refused !== undefined) return failed(refused);
  const hash = await context.files.write(real, bytes, state?.hash ?? null);
  if (isRefusal(hash)) return failed(`${name}: ${hash.refused}. Nothing was written; look at it again.`);
  const size = `${count(linesOf(args.content).lines.length, 'line')}, ${count(bytes.length, 'byte')}`;
  return {
    outcome: 'ok',
    text: [`${state === null ? 'Created' : 'Replaced'} ${name} (${size}).`, ...notes].join('\n'),
    changes: [{ path: real, before: state?.hash ?? null, after: hash }],
    facts: { wrote: { path: real, hash, whole: true } },
  };
}

/** Why the present content of a file may not be replaced: the model doesn't know all of it. */
function whyUnseen({ real, name }: Found, state: FileState, context: ToolContext): string | undefined {
  const seen = context.seen(real);
  if (seen === undefined) {
    return `${name} exists and hasn’t been read in this session; nothing was written. Read it first, or change a part of it with edit.`;
  }
  if (seen.hash !== state.hash) {
    return `${name} has changed since it was last read; nothing was written. Read it again.`;
  }
  if (seen.whole) return undefined;
  return `Only a part of ${name} has been read; nothing was written. Read the rest, or change the part with edit.`;
}

/** Why content that leaves out code may not replace it. */
function leftOut({ content }: WriteArguments, present: string, name: string): string | undefined {
  const placeholder = placeholderIn(content, present, name);
  if (placeholder === undefined) return undefined;
  const { line, text } = placeholder;
  return `${name}: line ${line} of \`content\` seems to stand for code that was left out: “${cutLine(visible(text), lineShown)}”. The whole file would be replaced and that code lost, so nothing was written. Send the file whole, or change only what differs with edit. If the line belongs there as it is, write without it and put it in with edit.`;
}
