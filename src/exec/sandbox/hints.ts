/** Tells a command's failure that the sandbox caused from one of its own, by what programs usually print. */

export interface HintPlaces {
  /** Home as commands see it. */
  home: string;
  workspace: string;
  /** Whether something leads outside: the proxy for granted hosts. */
  hasPassage?: boolean;
}

const noNetwork =
  /ENETUNREACH|EAI_AGAIN|ENETDOWN|Network is unreachable|Temporary failure in name resolution|Could not resolve (host|proxy)|Temporary failure resolving|Name or service not known|getaddrinfo (ENOTFOUND|failed)|nodename nor servname|dial tcp: lookup|failed to lookup address|Could not connect to .*\.crates\.io/i;
const refusedHere = /ECONNREFUSED|Connection refused|Failed to connect to (localhost|127\.0\.0\.1)/i;
const readOnlyPlace = /EROFS|Read-only file system/i;
const gitProtected =
  /(could not (lock|write) config file|unable to (write|create|unlink)).*\.git\/|\.git\/(config|hooks|info)[^\n]*(Device or resource busy|Read-only)/i;
const heldInPlace = /EBUSY|Device or resource busy/i;
const denied = /(EACCES|EPERM|Permission denied|Operation not permitted)/i;
const missing = /(ENOENT|No such file or directory|Could not open|not found)/i;
const needsRoot = /no new privileges|sudo: .*(uid 0|setuid)|must be (run as )?root|are you root/i;
const noDaemon =
  /Cannot connect to the Docker daemon|docker\.sock|ssh-agent|Could not open a connection to your authentication agent/i;

/** One sentence for the model about what the sandbox probably caused; undefined when nothing points to it. */
export function sandboxHint(output: string, places: HintPlaces): string | undefined {
  if (gitProtected.test(output))
    return 'The sandbox keeps Git’s hooks, configuration and attributes read-only for commands; trying again will not help, ask the user to change them.';
  if (noNetwork.test(output) && places.hasPassage === true)
    return 'Commands reach the hosts that the user granted, and only through the proxy that HTTP_PROXY names: a program that ignores it has no network, and trying again will not help.';
  if (noNetwork.test(output))
    return 'The sandbox has no network, so nothing can be fetched; trying again will not help, use what is already installed or ask the user.';
  if (noDaemon.test(output))
    return 'The sandbox hides the sockets of services and agents outside it; trying again will not help.';
  if (needsRoot.test(output)) return 'The sandbox gives no further rights (no sudo); trying again will not help.';
  if (readOnlyPlace.test(output))
    return `The sandbox lets commands write only in the workspace, /tmp and the private caches; everything else is read-only, so trying again will not help.`;
  if (heldInPlace.test(output))
    return 'The sandbox holds the workspace, the home folder and what it protects in place: none of them can be removed or moved, and trying again will not help.';
  if (touchesHidden(output, places))
    return `The sandbox hides home folders and lets commands write only in the workspace and /tmp; trying again will not help.`;
  if (refusedHere.test(output))
    return 'The sandbox has no network and a loopback of its own: a service that runs outside, or was started by an earlier command, probably can’t be reached from here.';
  return undefined;
}

const noSocket = /\b(connect|listen|bind|socket)\b[^\n]*(EACCES|EPERM|permission denied|not permitted)/i;
const closedTemporary =
  /(^|[\s'"=:])\/tmp\b[^\n]*(EACCES|permission denied|not permitted)|(EACCES|permission denied)[^\n]*\s['"]?\/tmp\b/im;

/** The same for a sandbox without a view of its own: there /tmp is closed like all else, and TMPDIR names the private folder. */
export function plainSandboxHint(output: string, places: HintPlaces): string | undefined {
  if (closedTemporary.test(output))
    return 'Commands have no /tmp in this sandbox: use the folder that TMPDIR names (mktemp does).';
  if (noSocket.test(output))
    return 'This sandbox has no sockets, so nothing can be reached or served, not even on this machine; trying again will not help.';
  return sandboxHint(output, places)?.replaceAll('/tmp', '$TMPDIR');
}

/** A line that complains about a path outside the workspace: in a home folder it's missing, elsewhere it's refused. */
function touchesHidden(output: string, { home, workspace }: HintPlaces): boolean {
  return output.split('\n').some((line) => {
    const paths = line.match(/(?<![\w.])(?:~|\/[\w.@+-]+)(?:\/[\w.@+-]*)*/g) ?? [];
    const outside = paths.filter((path) => path !== '/' && !path.startsWith(workspace));
    // A home may lie among the temporary files, which commands have others of.
    const inHome = outside.filter(
      (path) => path.startsWith(home) || path.startsWith('~') || /^\/(home|root)\b/.test(path),
    );
    const elsewhere = outside.filter((path) => !path.startsWith('/tmp'));
    return (denied.test(line) && elsewhere.length > 0) || (missing.test(line) && inHome.length > 0);
  });
}
