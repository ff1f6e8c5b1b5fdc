import type { CallOutcome } from '../../../core/index.ts';
import type { FileState } from '../../needs.ts';
import { failed, isRefusal } from '../../outcome.ts';
import { count, decode, encodingName, encodingOf, linesOf } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { find, type Found } from '../file-access.ts';

export interface WriteArguments {
  path: string;
  content: string;
}

export async function write(args: WriteArguments, context: ToolContext): Promise<CallOutcome> {
  const found = await find(args.path, 'write', context);
  if ('outcome' in found) return found;
  if (!args.content.isWellFormed()) {
    return failed('`content` holds half of a surrogate pair, which is no character. Nothing was written.');
  }
  const { state } = found;
  const bytes = Buffer.from(args.content, 'utf8');
  if (state?.bytes.equals(bytes) === true) {
    const wrote = { path: found.real, hash: state.hash, whole: true };
    return { outcome: 'ok', text: `${found.name} has exactly this content already.`, changes: [], facts: { wrote } };
  }
  const unseen = state === null ? undefined : whyUnseen(found, state, context);
  if (unseen !== undefined) return failed(unseen);
  const hash = await context.files.write(found.real, bytes, state?.hash ?? null);
  if (isRefusal(hash)) return failed(`${found.name}: ${hash.refused}. Nothing was written; look at it again.`);
  const size = `${count(linesOf(args.content).lines.length, 'line')}, ${count(bytes.length, 'byte')}`;
  const text = `${state === null ? 'Created' : 'Replaced'} ${found.name} (${size}).`;
  return {
    outcome: 'ok',
    text: [text, ...lostNotes(state, bytes)].join('\n'),
    changes: [{ path: found.real, before: state?.hash ?? null, after: hash }],
    facts: { wrote: { path: found.real, hash, whole: true } },
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

/** What the old file had and the new content hasn't: said, since nothing is converted. */
function lostNotes(state: FileState | null, bytes: Buffer): string[] {
  if (state === null) return [];
  const before = encodingOf(state.bytes);
  const after = encodingOf(bytes);
  if (before === 'binary' || after === 'binary') return [];
  const notes: string[] = [];
  if (before.encoding !== after.encoding) {
    notes.push(`Note: it was ${encodingName(before.encoding)}; now it is UTF-8.`);
  } else if (before.mark !== after.mark) {
    notes.push(`Note: ${before.mark > 0 ? 'its byte order mark is gone' : 'it has a byte order mark now'}.`);
  }
  const endsBefore = linesOf(decode(state.bytes, before)).ends;
  const endsAfter = linesOf(decode(bytes, after)).ends;
  if (endsBefore !== 'none' && endsAfter !== 'none' && endsBefore !== endsAfter) {
    notes.push(`Note: its line ends were ${endsBefore}; now they are ${endsAfter}.`);
  }
  return notes;
}
