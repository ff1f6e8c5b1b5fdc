import type { CallOutcome } from '../../../core/index.ts';
import { imageTypeOf, isPdf } from '../../content/index.ts';
import { tagOf } from '../../edits/index.ts';
import { failed, isRefusal } from '../../outcome.ts';
import { decode, detectEncoding, headOf, visible, type EncodedText } from '../../text/index.ts';
import type { ToolContext } from '../../tool.ts';
import { missing } from '../file-access.ts';
import { describeBinary } from './binary.ts';
import { listFolder } from './folder.ts';
import { readImage } from './image.ts';
import { windowOf, type Window } from './lines.ts';
import { readNotebook } from './notebook.ts';
import { readPages } from './pdf.ts';
import type { Manner, Subject } from './subject.ts';
import { readText } from './text.ts';

/** Characters of a note. */
const longestNote = 500;

export interface ReadArguments {
  path: string;
  offset?: number;
  limit?: number;
}

/** Shows what stands at a path. What a file is, its bytes say; only a notebook is known by its name. */
export async function read(args: ReadArguments, context: ToolContext, manner: Manner): Promise<CallOutcome> {
  const { files } = context;
  const { offset = 1, limit = 1 } = args;
  if (offset < 1) return failed(`offset: must be at least 1, the first line; got ${offset}.`);
  if (limit < 1) return failed(`limit: must be at least 1, got ${limit}.`);
  const real = await files.resolve(args.path, 'read');
  if (isRefusal(real)) return failed(`${visible(args.path)}: ${real.refused}.`);
  const name = visible(files.display(real));
  const state = await files.read(real);
  if (state === null) return missing({ real, name, state }, context);
  if (isRefusal(state)) {
    // That it can't be listed either means that it is no folder; why it can't be read is known already.
    const names = await files.list(real).catch(() => undefined);
    return names === undefined ? failed(`${name}: ${state.refused}.`) : listFolder(real, name, names);
  }
  const outcome = await show({ real, name, state }, args, context, manner);
  return context.signal.aborted ? failed(`${name} was not read to its end.`) : outcome;
}

async function show(subject: Subject, args: ReadArguments, context: ToolContext, manner: Manner): Promise<CallOutcome> {
  const { name, state } = subject;
  const window = windowOf(args);
  const image = imageTypeOf(state.bytes);
  if (image !== undefined) return readImage(subject, image, manner, context);
  const encoded = await detectEncoding(state.bytes);
  if (isPdf(state.bytes, name)) {
    const pages = await readPages(subject, window, context);
    if ('outcome' in pages) return pages;
    // Only what was made by hand, or is no PDF at all, is plain throughout; of others the text is no use.
    const isPlain = encoded !== 'binary' && encoded.encoding === 'utf-8';
    if (!isPlain) return { outcome: 'ok', text: `${pages.problem} It isn’t shown.` };
    return withNote(showText(subject, encoded, window, manner, context), pages.problem);
  }
  if (encoded === 'binary') return describeBinary(subject);
  const isAsked = args.offset !== undefined || args.limit !== undefined;
  if (!/\.ipynb$/i.test(name) || isAsked) return showText(subject, encoded, window, manner, context);
  const cells = await readNotebook(subject, decode(state.bytes, encoded), manner, context);
  return 'outcome' in cells ? cells : withNote(showText(subject, encoded, window, manner, context), cells.problem);
}

function showText(
  subject: Subject,
  encoded: EncodedText,
  window: Window,
  manner: Manner,
  { withoutSecrets }: ToolContext,
): CallOutcome {
  return readText(subject, encoded, window, manner.tags ? tagLead : undefined, withoutSecrets);
}

/** What a file was taken for, in vain. */
function withNote(outcome: CallOutcome, problem: string): CallOutcome {
  return { ...outcome, text: `${outcome.text}\n[${headOf(problem, longestNote)}]` };
}

function tagLead(line: string): string {
  return `:${tagOf(line)}`;
}
