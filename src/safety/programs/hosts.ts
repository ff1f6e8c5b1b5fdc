/** Hosts in the words of a command. */

/**
 * The host of an address (`https://u@name:8080/x`, `git@name:path`, `name::module`), as `name` or `name:port`; undefined for anything
 * else. Of an address whose end isn't known (`isCut`) only a host that is closed by a slash counts.
 */
export function hostOf(text: string, isCut = false): string | undefined {
  const [, authority, slash] = /^(?:[a-z][\w+.-]*:)+\/\/([^/?#\s]*)(\/?)/i.exec(text) ?? [];
  if (authority !== undefined) {
    if (isCut && slash !== '/') return undefined;
    const host = authority.replace(/^.*@/, '').toLowerCase();
    return host === '' ? undefined : host;
  }
  if (isCut) return undefined;
  const [, remote] = /^(?:[^@/\s:]+@)?(\[[\da-f:]+\]|[\w.-]+):/i.exec(text) ?? [];
  return remote === undefined || remote === '' ? undefined : remote.toLowerCase();
}
