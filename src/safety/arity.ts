/**
 * Which words of a command say what it does: an "always" keeps these and leaves the rest open (`npm run test x` -> `npm run test *`).
 * `?` is a word that is kept as it is. What isn’t listed, programs that run any code above all (node, bash, npx, make, docker run),
 * is granted by its exact words.
 */
const kept: readonly string[] = [
  ...['npm', 'pnpm', 'yarn', 'bun'].flatMap((each) =>
    ['run ?', 'test', 'install', 'ci', 'add', 'remove', 'update', 'ls', 'list', 'outdated', 'audit', 'pack'].map(
      (word) => `${each} ${word}`,
    ),
  ),
  ...'add commit switch checkout merge stash restore fetch pull push tag branch mv rm revert cherry-pick'
    .split(' ')
    .map((word) => `git ${word}`),
  ...['push', 'pop', 'apply', 'drop', 'list', 'show'].map((word) => `git stash ${word}`),
  ...'test build check clippy fmt bench doc add remove update tree metadata fetch'
    .split(' ')
    .map((word) => `cargo ${word}`),
  ...'test build vet fmt get install list'.split(' ').map((word) => `go ${word}`),
  'go mod ?',
  ...['build', 'pull', 'ps', 'images', 'logs', 'inspect', 'stop', 'start', 'restart'].map((word) => `docker ${word}`),
  ...['up', 'down', 'build', 'ps', 'logs', 'pull', 'stop', 'start', 'restart'].map((word) => `docker compose ${word}`),
  ...['up', 'down', 'build', 'ps', 'logs'].map((word) => `docker-compose ${word}`),
  ...'get describe logs top'.split(' ').map((word) => `kubectl ${word}`),
  ...['pr', 'issue', 'run', 'release', 'workflow', 'repo'].flatMap((word) =>
    ['list', 'view'].map((verb) => `gh ${word} ${verb}`),
  ),
  ...['pr', 'issue'].flatMap((word) => ['create', 'comment', 'edit', 'close'].map((verb) => `gh ${word} ${verb}`)),
  ...['install', 'list', 'show', 'freeze', 'check'].flatMap((word) => [
    `pip ${word}`,
    `pip3 ${word}`,
    `uv pip ${word}`,
  ]),
  ...['sync', 'lock', 'add', 'remove'].map((word) => `uv ${word}`),
  ...['install', 'lock', 'add', 'remove', 'show'].map((word) => `poetry ${word}`),
  ...['install', 'update', 'list'].map((word) => `bundle ${word}`),
  ...['build', 'test', 'restore', 'format'].map((word) => `dotnet ${word}`),
  ...['compile', 'test', 'package', 'verify'].map((word) => `mvn ${word}`),
  ...['build', 'test', 'check', 'assemble'].flatMap((word) => [`gradle ${word}`, `./gradlew ${word}`]),
  ...['build', 'test', 'package'].map((word) => `swift ${word}`),
  ...'pytest vitest jest mocha ava tsc eslint oxlint prettier oxfmt biome ruff black mypy flake8 pylint isort rubocop rspec golangci-lint phpunit'.split(
    ' ',
  ),
];

const table: readonly (readonly string[])[] = kept.map((each) => each.split(' '));

/** How many words of a command are kept when it is granted; undefined: all of them, and nothing may follow. */
export function arityOf(words: readonly string[]): number | undefined {
  const lengths = table.filter((prefix) => begins(words, prefix)).map((prefix) => prefix.length);
  return lengths.length === 0 ? undefined : Math.max(...lengths);
}

function begins(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((wanted, index) => {
    const word = words[index];
    return word !== undefined && (wanted === '?' ? /^[\w@][\w@:./-]*$/.test(word) : word === wanted);
  });
}
