import type { CallOutcome } from '../../../core/index.ts';
import {
  applyEdits,
  excerptOf,
  linesAround,
  linesAt,
  openDocument,
  type EditPlace,
  type Replaced,
  type Replacement,
  type TextDocument,
} from '../../edits/index.ts';
import type { WroteFact } from '../../known.ts';
import type { FileState } from '../../needs.ts';
import { failed, isRefusal } from '../../outcome.ts';
import { count, linesOf } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { find, missing, type Found } from '../file-access.ts';
import { requestsOf, type EditArguments } from './requests.ts';

/** Lines around each change, and lines of a result at most. */
const around = 2;
const aroundForeign = 10;
const linesShown = 40;

export async function edit(args: EditArguments, context: ToolContext): Promise<CallOutcome> {
  const edits = requestsOf(args);
  if ('problem' in edits)
    return failed(`${edits.problem}. Nothing was changed; send the call again with this corrected.`);
  const found = await find(args.path, 'write', context);
  if ('outcome' in found) return found;
  const { state, name } = found;
  if (args.old === '' && edits.length === 1) return create(args.new, found, context);
  if (state === null) return missing(found, context);
  const seen = context.seen(found.real);
  if (seen === undefined)
    return failed(`${name} hasn’t been read in this session. Read it, then send this edit again.`);
  const document = await openDocument(state.bytes);
  if ('problem' in document) return failed(`${name}: ${document.problem}`);
  const isForeign = seen.hash !== state.hash;
  const result = applyEdits(document, edits);
  if ('problem' in result) return failed(`${name}: ${refusal(result, edits, isForeign ? document : undefined)}`);
  const hash = await context.files.write(found.real, result.bytes, state.hash);
  if (isRefusal(hash)) return failed(`${name}: ${hash.refused}. Nothing was changed; look at it again.`);
  const wrote = { path: found.real, hash, whole: seen.whole && !isForeign };
  return done(state, wrote, describe(name, edits, result, isForeign));
}

/** Why nothing was changed; for a file that others have changed also what stands there now. */
function refusal(
  { problem, number, near }: { problem: string; number: number; near?: [number, number] },
  edits: readonly Replacement[],
  changed: TextDocument | undefined,
): string {
  const which = edits.length === 1 ? '' : `edit ${number} of ${edits.length}, and so none of them, fits. `;
  const text = `${which}${problem}`;
  const after = number === 1 ? [] : ['It was sought in the text that the edits before it make.'];
  if (changed === undefined) return [text, ...after].join('\n');
  const note = 'The file has changed since it was read: read it again';
  if (near === undefined || number > 1) return [text, ...after, `${note}.`].join('\n');
  const lines = linesShownOf(changed, [{ before: near, after: near }], aroundForeign);
  return [text, `${note}, or go by what stands there now:`, ...lines].join('\n');
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
  const wrote = { path: found.real, hash, whole: true };
  return done(null, wrote, `Created ${found.name} (${count(lines.length, 'line')}).`);
}

function done(before: FileState | null, wrote: WroteFact, text: string): CallOutcome {
  const changes = [{ path: wrote.path, before: before?.hash ?? null, after: wrote.hash }];
  return { outcome: 'ok', text, changes, facts: { wrote } };
}

function describe(
  name: string,
  edits: readonly Replacement[],
  { places, document }: Replaced,
  isForeign: boolean,
): string {
  const rising = places.toSorted((a, b) => a.after[0] - b.after[0]);
  const what = edits.length === 1 ? placesText(places) : `${count(edits.length, 'edit')}, ${placesText(places)}`;
  const warning = isForeign
    ? [
        'The file had been changed by something else since it was read; the edit went into its present text. Around it now:',
      ]
    : [];
  const lines = linesShownOf(document, rising, isForeign ? aroundForeign : around);
  return [`Edited ${name}: ${what}.`, ...warning, ...lines].join('\n');
}

/** The lines at and around the places, as they are in a document. */
function linesShownOf(document: TextDocument, places: readonly EditPlace[], nearby: number): string[] {
  const lines = linesAt(document, linesAround(places, nearby));
  return excerptOf(lines, places, { around: nearby, limit: linesShown });
}

function placesText(places: readonly EditPlace[]): string {
  const [only] = places;
  if (only === undefined || places.length > 1) return count(places.length, 'place');
  const [from, to] = only.before;
  const now = only.after[1] - only.after[0] + 1;
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  return `${lines} replaced by ${count(now, 'line')}`;
}
