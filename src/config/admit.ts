/** What of a project's settings takes part: all of it once trusted, else only what tightens, and what a person is told of the rest. */
import type { Entry } from './entries.ts';
import type { FileLayer } from './file-layer.ts';
import type { Variables } from './places.ts';
import { printable, quoted } from './quote.ts';
import type { Notice } from './settings.ts';
import { siftUntrusted } from './tighten.ts';
import { isTrusted } from './trust.ts';

export interface Admitted {
  entries: Entry[];
  notices: Notice[];
  trusted: boolean;
  /** What doesn't count as long as it isn't trusted, each as `key value`. */
  leftOut: string[];
  /** What was trusted here before, and what changed since as a unified diff; absent where nothing was. */
  changed?: { since?: string; difference: string };
}

export interface Admission {
  workspace: string;
  env?: Variables;
  home?: string;
  /** The user trusts the project's settings for this run. */
  trust?: boolean;
  /** It is this profile of the project that is to be admitted. */
  profile?: string;
}

const mostShown = 10;
/** Characters of a difference that a notice carries; `reins trust --show` has all of it. */
const differenceShown = 4_000;

export async function admit(project: FileLayer, below: Entry[], admission: Admission): Promise<Admitted> {
  const { trusted, last, problem } = isTrusted({ ...admission, hash: project.hash });
  const { kept, leftOut } = siftUntrusted(project.entries, below);
  const named = leftOut.map(({ path, value }) => `${path.join('.')} ${quoted(value)}`);
  if (trusted) return { entries: project.entries, notices: [], trusted, leftOut: named };
  const changed = last === undefined ? undefined : await changeSince(last, project);
  const rest = { trusted: false, leftOut: named, ...(changed !== undefined && { changed }) };
  if (admission.trust === true) return { ...rest, entries: project.entries, notices: [], trusted: true };
  const notices: Notice[] = [];
  if (problem !== undefined) notices.push({ code: 'trust-record', level: 'warning', text: printable(problem) });
  if (leftOut.length > 0) notices.push(leftOutNotice(project.file, leftOut, named, changed));
  return { ...rest, entries: kept, notices };
}

async function changeSince(
  { at, content }: { at?: string; content?: Buffer },
  project: FileLayer,
): Promise<NonNullable<Admitted['changed']>> {
  const since = at !== undefined && { since: at };
  if (content === undefined) return { ...since, difference: '' };
  const { differenceOf } = await import('./difference.ts');
  return { ...since, difference: await differenceOf(content, project.content) };
}

function leftOutNotice(file: string, leftOut: Entry[], named: string[], changed: Admitted['changed']): Notice {
  const shown =
    named.length > mostShown ? [...named.slice(0, mostShown), `and ${named.length - mostShown} more`] : named;
  const why = changed === undefined ? 'are not trusted' : 'have changed since you trusted them';
  const look = changed === undefined ? `Read ${printable(file)}` : 'See the change with reins trust --show';
  const text =
    `The settings of this project ${why}; left out: ${shown.join(', ')}. ` +
    `${look}, then trust it with reins trust, or with --trust for one run.`;
  const difference = (changed?.difference ?? '').split('\n').map(printable).join('\n').slice(0, differenceShown);
  return {
    code: 'settings-untrusted',
    level: 'warning',
    text,
    data: {
      file,
      keys: leftOut.map(({ path }) => path.join('.')),
      ...(difference !== '' && { difference }),
    },
  };
}
