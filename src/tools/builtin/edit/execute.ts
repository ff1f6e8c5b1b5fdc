import type { CallOutcome } from '../../../core/index.ts';
import { applyEdit, type EditPlace } from '../../edits/index.ts';
import type { FileState } from '../../needs.ts';
import { failed, isRefusal } from '../../outcome.ts';
import type { WroteFact } from '../../known.ts';
import { count, decode, encodingOf, linesOf } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { find, missing, type Found } from '../file-access.ts';
import { excerpt } from './excerpt.ts';

export interface EditArguments {
  path: string;
  old: string;
  new: string;
  all?: boolean;
}

export async function edit(args: EditArguments, context: ToolContext): Promise<CallOutcome> {
  const found = await find(args.path, 'write', context);
  if ('outcome' in found) return found;
  const { state } = found;
  if (args.old === '') return create(args.new, found, context);
  if (state === null) return missing(found, context);
  const seen = context.seen(found.real);
  if (seen === undefined) {
    return failed(`${found.name} hasn’t been read in this session. Read it, then send this edit again.`);
  }
  const result = applyEdit(state.bytes, { old: args.old, new: args.new, all: args.all ?? false });
  if ('problem' in result) return failed(`${found.name}: ${result.problem}${changedNote(seen.hash, state)}`);
  const hash = await context.files.write(found.real, result.bytes, state.hash);
  if (isRefusal(hash)) return failed(`${found.name}: ${hash.refused}. Nothing was changed; look at it again.`);
  const foreign = seen.hash !== state.hash;
  const shown = describe(found.name, result.bytes, result.places, foreign);
  return done(found.real, state.hash, { path: found.real, hash, whole: seen.whole && !foreign }, shown);
}

function changedNote(seenHash: string, state: FileState): string {
  return seenHash === state.hash ? '' : '\nThe file has changed since it was read: read it again.';
}

async function create(text: string, found: Found, context: ToolContext): Promise<CallOutcome> {
  if (found.state !== null) {
    return failed(
      `${found.name} exists: an empty \`old\` only creates a file. Give the text to be replaced in \`old\`, or use write for the whole file.`,
    );
  }
  if (!text.isWellFormed()) return failed('`new` holds half of a surrogate pair, which is no character.');
  const hash = await context.files.write(found.real, Buffer.from(text, 'utf8'), null);
  if (isRefusal(hash)) return failed(`${found.name}: ${hash.refused}. Nothing was written.`);
  const { lines } = linesOf(text);
  const fact = { path: found.real, hash, whole: true };
  return done(found.real, null, fact, `Created ${found.name} (${count(lines.length, 'line')}).`);
}

function done(path: string, before: string | null, wrote: WroteFact, text: string): CallOutcome {
  return { outcome: 'ok', text, changes: [{ path, before, after: wrote.hash }], facts: { wrote } };
}

function describe(name: string, bytes: Buffer, places: EditPlace[], foreign: boolean): string {
  const encoded = encodingOf(bytes);
  const lines = encoded === 'binary' ? [] : linesOf(decode(bytes, encoded)).lines;
  const head = `Edited ${name}: ${places.length === 1 ? placeText(places) : count(places.length, 'place')}.`;
  const warning = foreign
    ? [
        'The file had been changed by something else since it was read; the edit went into its present text. Around it now:',
      ]
    : [];
  return [head, ...warning, ...excerpt(lines, places, foreign ? 10 : 2)].join('\n');
}

function placeText([place]: EditPlace[]): string {
  if (place === undefined) return '';
  const [from, to] = place.before;
  const now = place.after[1] - place.after[0] + 1;
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  return `${lines} replaced by ${count(now, 'line')}`;
}
