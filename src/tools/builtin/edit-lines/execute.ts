import type { CallOutcome } from '../../../core/index.ts';
import {
  excerptOf,
  lineName,
  linesOfDocument,
  openDocument,
  type EditPlace,
  type Replaced,
} from '../../edits/index.ts';
import { failed, isRefusal } from '../../outcome.ts';
import { count } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { find, missing } from '../file-access.ts';
import { applyLineEdits } from './apply.ts';
import { requestsOf, type EditLinesArguments } from './requests.ts';

/** Lines around each change, and lines of a result at most. */
const around = 2;
const aroundForeign = 10;
const linesShown = 60;

export async function editLines(args: EditLinesArguments, context: ToolContext): Promise<CallOutcome> {
  const requests = requestsOf(args);
  if ('problem' in requests) return failed(`${requests.problem}. Nothing was changed.`);
  const found = await find(args.path, 'write', context);
  if ('outcome' in found) return found;
  const { state, real, name } = found;
  if (state === null) return missing(found, context);
  const seen = context.seen(real);
  if (seen === undefined)
    return failed(`${name} hasn’t been read in this session. Read it, then send this edit again.`);
  const document = await openDocument(state.bytes);
  if ('problem' in document) return failed(`${name}: ${document.problem}`);
  const result = applyLineEdits(document, requests);
  if ('problem' in result) return failed(`${name}: nothing was changed.\n${result.problem}`);
  const hash = await context.files.write(real, result.bytes, state.hash);
  if (isRefusal(hash)) return failed(`${name}: ${hash.refused}. Nothing was changed; look at it again.`);
  const isForeign = seen.hash !== state.hash;
  return {
    outcome: 'ok',
    text: describe(name, result, isForeign),
    changes: [{ path: real, before: state.hash, after: hash }],
    facts: { wrote: { path: real, hash, whole: seen.whole && !isForeign } },
  };
}

function describe(name: string, { document, places }: Replaced, isForeign: boolean): string {
  const [only] = places;
  const what = only !== undefined && places.length === 1 ? placeText(only) : count(places.length, 'place');
  const note = isForeign
    ? ['The file had been changed by something else since it was read; around the change it is now:']
    : [];
  const options = { around: isForeign ? aroundForeign : around, limit: linesShown, name: lineName };
  return [`Edited ${name}: ${what}.`, ...note, ...excerptOf(linesOfDocument(document).texts, places, options)].join(
    '\n',
  );
}

function placeText({ before: [from, to], after }: EditPlace): string {
  const now = count(after[1] - after[0] + 1, 'line');
  if (to < from) return from === 1 ? `${now} put at the start` : `${now} put after line ${from - 1}`;
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  return after[1] < after[0] ? `${lines} taken out` : `${lines} replaced by ${now}`;
}
