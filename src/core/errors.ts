/** The catalogue of errors: stable codes, what they mean and the way out. docs/errors.md lists the same; a test counts both. */

export type FaultClass = 'usage' | 'storage' | 'transport' | 'provider' | 'protocol' | 'limit' | 'tool' | 'defect';

/** `retryable`: whether doing the same again may succeed without anything being changed. */
const entry = (fault: FaultClass, retryable: boolean, cause: string, wayOut: string) => {
  return { class: fault, retryable, cause, wayOut };
};

// One line an entry, so that it reads as the table it is.
// oxfmt-ignore
export const errorCatalogue = {
  'usage-arguments': entry('usage', false, 'An argument is unknown, missing or has a value that it can’t have.', 'See `reins help`.'),
  'config-invalid': entry('usage', false, 'A settings file can’t be read, isn’t JSON, or has an unknown key or a bad value.', 'Correct what is named; docs/settings.md has every key.'),
  'config-untrusted': entry('usage', false, 'A project’s settings name something that only the user’s may (endpoint, key, header, proxy).', 'Move it to the user’s settings.'),
  'profile-unknown': entry('usage', false, 'There is no profile of this name.', '`reins profiles` lists them; docs/profiles.md says how to write one.'),
  'profile-untrusted': entry('usage', false, 'The profile is a file of the project’s, and nobody has trusted it.', 'Read it, then `reins trust --profile NAME`, or --trust for one run.'),
  'tool-unknown': entry('usage', false, 'A tool was asked for by name that isn’t there.', 'Name one of those that are, or none to have them all.'),
  'workspace-missing': entry('usage', false, 'The workspace folder doesn’t exist, isn’t a folder, or can’t be read.', 'Name an existing folder with -C.'),
  'model-unknown': entry('usage', false, 'No model is configured, or its name names no provider.', 'Set the key of a provider, or name a model with --model (of a local server: --model ollama/NAME). Without either: --model script:FILE, or `reins demo`.'),
  'key-missing': entry('usage', false, 'The provider needs a key and the environment has none.', 'Set it, put it into the key file, or see `reins models`.'),
  'rate-missing': entry('usage', false, 'A money limit was asked for on a model without a rate.', 'Drop the limit (--max-cost, limits.cost), or give the model’s rates in the user’s settings.'),
  'scenario-invalid': entry('usage', false, 'A scenario file can’t be read or isn’t one.', 'docs/testing.md has the format.'),
  'cassette-invalid': entry('usage', false, 'A recording can’t be read, or a file in it is no cassette.', 'docs/replay.md has the format; record anew with --record.'),
  'rehearsal-impossible': entry('usage', false, 'A past session lacks what a rehearsal needs: its setup, its replies, or the commit that it began at.', 'docs/replay.md says what is needed.'),
  'mode-unavailable': entry('usage', false, 'Mode auto exists only while the sandbox is proven, and it isn’t here.', 'Use --mode edit or ask; `reins doctor` says what is missing.'),
  'platform-unsupported': entry('usage', false, 'This platform, or this version of Node, isn’t supported.', 'Use Linux or macOS with Node 22.19 or newer; on Windows use WSL.'),
  'secret-given': entry('usage', false, 'What was said holds a secret that Reins knows (a key, a value of the environment or of a .env file).', 'Name the variable or the file instead; docs/secrets.md says what counts.'),
  'import-invalid': entry('usage', false, 'The file can’t be read, or holds no session of a harness that Reins knows.', 'docs/exchange.md lists the formats; --format names one.'),
  'session-missing': entry('usage', false, 'No session has this in its id or its title.', '`reins sessions --all` lists them.'),
  'session-ambiguous': entry('usage', false, 'Several sessions have this in their id or their title.', 'Give more of the id.'),
  'session-busy': entry('usage', true, 'Another process holds the session.', 'Wait, or use `reins say`, `answer` or `cancel`, which reach it from outside.'),
  'session-stopped': entry('usage', false, 'The session has stopped and nothing new has come in.', 'Give it a task, or resume it with other limits.'),
  'session-newer': entry('usage', false, 'The log was written by a newer Reins.', 'Reading works; to go on, install that version.'),
  'event-missing': entry('usage', false, 'The session has no such event, turn or branch.', '`reins tree` shows what it has.'),
  'job-missing': entry('usage', false, 'No background command has this id, or several have it.', '`reins jobs` lists them.'),
  'undo-impossible': entry('usage', false, 'What was asked to be taken back can’t be: it was never kept, was taken back already, or isn’t there.', '`reins undo --list` shows what can be.'),
  'item-unknown': entry('usage', false, 'The item to be settled is not out, or belongs to a head that has moved.', 'Ask for the next item with step().'),
  'question-missing': entry('usage', false, 'There is no open question with this id.', '`reins log` shows the questions and who answered.'),
  'already-answered': entry('usage', false, 'The question has its answer.', 'Nothing to do; the first answer counts.'),
  'log-append-failed': entry('storage', false, 'An event could not be written to the log.', 'Make room or restore access, then resume the session; nothing recorded is lost.'),
  'log-unreadable': entry('storage', false, 'The log can’t be opened or read.', 'Restore access to the file that the message names.'),
  'log-damaged': entry('storage', false, 'Lines of the log are damaged.', 'Only those are lost; `reins log --verify` names them.'),
  'chain-broken': entry('storage', false, 'A line isn’t the one that its follower was chained to.', '`reins log --verify` says where.'),
  'blob-missing': entry('storage', false, 'A blob that an event names isn’t there or has other bytes.', 'The event itself still holds the excerpt.'),
  'ledger-unusable': entry('storage', false, 'The repository’s record of failures can’t be read or written, or isn’t a plain file.', 'See to the file that the message names; docs/ledger.md says what it holds.'),
  'state-unwritable': entry('storage', false, 'The folder for sessions can’t be made or written.', 'Give access to it, or set XDG_STATE_HOME.'),
  'cassette-unwritable': entry('storage', false, 'An exchange with the provider could not be written to the recording.', 'Make room or give access, or go on without --record; the session itself is whole.'),
  'connect-failed': entry('transport', true, 'The provider could not be reached.', 'Check the network, the base URL and the proxy.'),
  'connect-timeout': entry('transport', true, 'Connecting took too long.', 'Check the network and the proxy.'),
  'first-byte-timeout': entry('transport', true, 'The provider accepted the request and sent nothing for too long.', 'Try again later.'),
  'silence-timeout': entry('transport', true, 'The reply stopped in the middle for too long.', 'Try again later.'),
  'stream-cut': entry('transport', true, 'The reply ended before its terminal event.', 'Retried by itself; nothing of it was run.'),
  'stream-invalid': entry('protocol', true, 'The reply isn’t what the protocol says.', 'Check that the base URL speaks this protocol.'),
  'empty-reply': entry('protocol', true, 'The reply has neither text nor calls.', 'Retried by itself.'),
  'replay-diverged': entry('protocol', false, 'A request isn’t the one that was recorded.', 'Record anew if the change is meant; --model "replay:DIR?tolerant" takes what is alike.'),
  'provider-overloaded': entry('provider', true, 'The provider is overloaded.', 'Retried by itself.'),
  'provider-error': entry('provider', true, 'The provider failed inside.', 'Retried by itself.'),
  'rate-limited': entry('provider', true, 'The provider’s rate limit was hit.', 'Retried at the time that the provider names.'),
  'provider-auth': entry('provider', false, 'The provider refused the key.', 'Check the key; `reins models` says which one is used.'),
  'provider-quota': entry('provider', false, 'The account has no credit or hit its spend limit.', 'Raise it with the provider.'),
  'provider-rejected': entry('provider', false, 'The provider rejects the request as invalid.', '`reins log --request N` shows the exact bytes of request N; the message quotes the provider.'),
  'context-overflow': entry('provider', false, 'The conversation no longer fits the context window.', 'The message says what fills it: shorten that, take a model with a larger window, or start a new session.'),
  'retries-exhausted': entry('provider', false, 'All tries within the retry limits failed.', 'Resume later; raise the retry limits in the settings.'),
  'request-cancelled': entry('transport', false, 'The request was cancelled while it was under way.', 'Resume to send it again.'),
  'limit-turns': entry('limit', false, 'The session has used its turns.', 'Resume with a higher --max-turns.'),
  'limit-calls': entry('limit', false, 'The session has used its calls.', 'Resume with a higher --max-calls.'),
  'limit-minutes': entry('limit', false, 'The session has used its running time.', 'Resume with a higher --max-minutes.'),
  'limit-tokens': entry('limit', false, 'The run has used the tokens that a rule allows it.', 'Go on in a new run, or raise the token-budget in the settings.'),
  'limit-cost': entry('limit', false, 'The next request could overrun the money limit.', 'Resume with a higher --max-cost.'),
  'cut-replies': entry('limit', false, 'Three replies in a row were cut by their length limit or had malformed calls.', 'Raise --max-output-tokens, or ask for smaller steps.'),
  'repeated-calls': entry('limit', false, 'The model made the same calls again and again with the same outcomes.', 'Say what it should do instead and resume; `reins log` shows what it tried.'),
  'repeated-text': entry('limit', false, 'The model’s text repeated itself without end.', 'Resume with another instruction, or another model.'),
  'denials': entry('limit', false, 'Too many calls were refused.', 'Allow what the work needs (--allow), or another mode.'),
  'checks-failed': entry('limit', false, 'The checks failed too often.', 'Look at the evidence in `reins log`; resume to go on.'),
  'checks-missing': entry('limit', false, 'Files changed and there is no check to prove the work.', 'Give --check "command", or --check none to waive proof.'),
  'checks-changed': entry('limit', false, 'What defines a check was changed in this run.', 'Review that change yourself, then run again, or allow it (--allow-test-changes).'),
  'scope-violated': entry('limit', false, 'Files changed that the scope of the run does not let it change.', 'Look at them with `reins diff`; take them back with `reins undo`, or widen the contract.'),
  'goal-not-met': entry('limit', false, 'The judge found the goal not met, more often than a run goes on for.', 'Its reason says what is missing; resume to go on, or say the goal more exactly.'),
  'goal-impossible': entry('limit', false, 'The judge found that the goal can’t be met here.', 'Its reason says why; mend that, or change the goal.'),
  'goal-unjudged': entry('limit', false, 'No judge gave a ruling that could be used.', 'The detail says why; resume to ask again, or set another model (phases.judging.model).'),
  'init-unwritable': entry('usage', false, 'What `reins init` proposes can’t be written.', 'Nothing was overwritten; mend the folder, or write it yourself.'),
  'tool-failed': entry('tool', false, 'A tool failed in a way that it doesn’t explain.', 'The message has the details; the model was told.'),
  'sandbox-failed': entry('tool', true, 'The sandbox could not start.', '`reins doctor` says what is missing.'),
  'defect': entry('defect', false, 'Reins itself failed.', 'The log is whole; report the message.'),
};

export type ErrorCode = keyof typeof errorCatalogue;

/** An error of the catalogue. `detail` says what exactly; the message always ends with the way out. */
export class ReinsError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;

  constructor(code: ErrorCode, detail: string, options?: { cause?: unknown }) {
    // A detail of several lines ends with its last one: the way out has a line of its own then.
    super(`${detail}${detail.endsWith('\n') ? '' : ' '}${errorCatalogue[code].wayOut}`, options);
    this.name = 'ReinsError';
    this.code = code;
    this.detail = detail;
  }

  get class(): FaultClass {
    return errorCatalogue[this.code].class;
  }
}

const systemReasons: { readonly [code: string]: string } = {
  ENOENT: 'it doesn’t exist',
  ENOTDIR: 'it is no folder, or its path leads through a file',
  EISDIR: 'it is a folder',
  EACCES: 'you have no right to it',
  EPERM: 'you have no right to it',
};

/** Why the system refused a file or folder, in words; what has none as the system says it. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', message } = error as NodeJS.ErrnoException;
  return systemReasons[code] ?? message;
}
