/** Names of variables whose values are secrets. */

/** Words of a name, as DESIGN and practice have them; a word ends at a separator, a digit or a change of case. */
const secretWords = new Set(
  (
    'token tokens secret secrets key keys apikey authtoken accesskey privatekey secretkey auth authorization credential ' +
    'credentials password passwd passphrase pass pwd pat jwt dsn cookie bearer'
  ).split(' '),
);
/** Not secrets, though they are named like ones: sockets and files, whose place is no secret. */
const harmless = new Set(['SSH_AUTH_SOCK', 'XAUTHORITY', 'PWD', 'OLDPWD']);

/** `API_TOKEN`, `apiKey`, `DB_PASSWORD_2`: yes; `MONKEY`, `GIT_AUTHOR_NAME`, `KEYBOARD`: no. */
export function isSecretName(name: string): boolean {
  if (harmless.has(name)) return false;
  const words = name
    .slice(0, 300)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => secretWords.has(word) || /(?:password|passwd|secret|apikey|token)$/.test(word));
}
