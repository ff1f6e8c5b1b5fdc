/** The joint of the failure ledger: a file of the repository, filled from logs and by hand. It is data: no run reads it, and no model is shown it. */
import { realpathSync } from 'node:fs';
import { placesOf } from '../../config/index.ts';
import { ReinsError } from '../../core/index.ts';
import { readLog, sessionFolder } from '../../session/index.ts';
import { refuseSecrets } from '../admission.ts';
import { sessionId } from '../reader.ts';
import { secretsOutside } from '../secrets.ts';
import { appendLines, ledgerFile, longestText, readLines, repositoryOf } from './file.ts';
import { failuresIn, keyOf, recurredIn, rungRows } from './fold.ts';
import { goneIn, instructionTexts, unjustifiedIn } from './justify.ts';
import { failuresOf } from './propose.ts';
import type { Failure, FailureLedger, Fix, LedgerReport, NewLine, Proposal, Sighting } from './types.ts';

export interface LedgerPlace {
  env?: { readonly [name: string]: string | undefined };
  /** A folder of the repository. */
  folder: string;
}

type Which = string | { latest: string };

/** Rejects with `ledger-unusable`, as all that follow. */
export async function readLedger({ folder }: Pick<LedgerPlace, 'folder'>): Promise<FailureLedger> {
  const file = ledgerFile(repositoryOf(realpathSync(folder)));
  const { lines, damaged } = readLines(file);
  return { file, failures: failuresIn(lines), damaged };
}

/** Rejects with `secret-given` and `usage-arguments` besides. */
export async function addFailure(
  place: LedgerPlace,
  failure: Pick<Sighting, 'symptom' | 'session' | 'recurs'>,
): Promise<Failure> {
  const { failures } = await readLedger(place);
  const { symptom, session, recurs } = failure;
  if (symptom.trim() === '' || symptom.length > longestText || symptom.includes('\n'))
    throw new ReinsError('usage-arguments', `A symptom is one line of at most ${longestText} characters.`);
  const known = recurs === undefined ? {} : { recurs: failureNamed(failures, recurs).id };
  const id = session === undefined ? {} : { session: sessionId(place.env, session) };
  const [line] = append(place, [{ type: 'failure', symptom: symptom.trim(), ...id, ...known }]);
  return named((await readLedger(place)).failures, line?.id);
}

/** What the log of a session proposes. Rejects with `session-missing` besides. */
export async function proposeFailures(
  place: LedgerPlace,
  which: Which,
): Promise<{ session: string; model?: string; proposals: Proposal[] }> {
  const session = sessionId(place.env, which);
  const { found, ...rest } = failuresOf(readLog(sessionFolder(placesOf(place.env).state, session)));
  const { failures } = await readLedger(place);
  const known = new Set(
    failures.flatMap(({ seen }) => seen.filter((one) => one.session === session)).map(({ symptom }) => keyOf(symptom)),
  );
  const secrets = secretsOutside(place.env, repositoryOf(realpathSync(place.folder)));
  const proposals = found.map(({ symptom: text, times }) => {
    const symptom = secrets.redact(text);
    return { symptom, times, isKnown: known.has(keyOf(symptom)) };
  });
  return { session, ...rest, proposals };
}

/** Writes down what isn't there yet; `pick`: only these, counted from 1. */
export async function addFromSession(place: LedgerPlace, which: Which, pick?: readonly number[]): Promise<Sighting[]> {
  const { session, model, proposals } = await proposeFailures(place, which);
  const strange = pick?.find((number) => proposals[number - 1] === undefined);
  if (strange !== undefined)
    throw new ReinsError('usage-arguments', `There is no proposal ${strange}; there are ${proposals.length}.`);
  const news = proposals.filter(({ isKnown }, index) => !isKnown && (pick?.includes(index + 1) ?? true));
  const lines = news.map(({ symptom, times }): NewLine => {
    return { type: 'failure', symptom, session, ...(model !== undefined && { model }), ...(times > 1 && { times }) };
  });
  return lines.length === 0 ? [] : append(place, lines).filter((line) => line.type === 'failure');
}

export async function addFix(
  place: LedgerPlace,
  id: string,
  fix: Pick<Fix, 'rung' | 'file' | 'text'>,
): Promise<Failure> {
  const { failures } = await readLedger(place);
  const { id: of } = failureNamed(failures, id);
  const { rung, file, text } = fix;
  if (
    [file, text].some(
      (each) => each !== undefined && (each.trim() === '' || each.length > longestText || each.includes('\n')),
    )
  )
    throw new ReinsError(
      'usage-arguments',
      `The file and the text of a fix are one line of at most ${longestText} characters.`,
    );
  append(place, [{ type: 'fix', of, rung, ...(file !== undefined && { file }), ...(text !== undefined && { text }) }]);
  return named((await readLedger(place)).failures, of);
}

export async function ledgerReport(place: LedgerPlace): Promise<LedgerReport> {
  const folder = realpathSync(place.folder);
  const repository = repositoryOf(folder);
  const { file, failures, damaged } = await readLedger(place);
  const texts = await instructionTexts(repository, folder);
  return {
    file,
    damaged,
    rungs: rungRows(failures),
    open: failures.filter(({ state }) => state === 'open'),
    recurred: recurredIn(failures),
    unjustified: unjustifiedIn(texts, failures),
    gone: goneIn(repository, failures),
  };
}

function append({ env, folder }: LedgerPlace, lines: readonly NewLine[]): ReturnType<typeof appendLines> {
  const repository = repositoryOf(realpathSync(folder));
  const text = JSON.stringify(lines);
  const secrets = secretsOutside(env, repository);
  refuseSecrets(text, secrets);
  // What has the shape of a key is refused as well: the file goes to all who have the repository.
  if (secrets.redact(text) !== text)
    throw new ReinsError('secret-given', 'The text holds what looks like a secret, so it was not recorded.');
  return appendLines(ledgerFile(repository), lines);
}

/** By the id of any time that it was seen, or a unique beginning of one. */
function failureNamed(failures: readonly Failure[], id: string): Failure {
  const found = failures.filter(({ seen }) => id !== '' && seen.some((one) => one.id.startsWith(id)));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const why = only === undefined ? 'No failure' : 'More than one failure';
  throw new ReinsError('usage-arguments', `${why} of the ledger has an id that begins with ${JSON.stringify(id)}.`);
}

function named(failures: readonly Failure[], id: string | undefined): Failure {
  const found = failures.find(({ seen }) => seen.some((one) => one.id === id));
  if (found === undefined) throw new ReinsError('ledger-unusable', 'What was written to the ledger is not there.');
  return found;
}
