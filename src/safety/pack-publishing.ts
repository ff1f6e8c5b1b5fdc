/** Commands that publish what can’t be taken back: packages, images, releases. Deploying is another matter, and no shipped rule’s. */

/** Each has a sub-command `publish`, and that is all there is to it. */
const publishers =
  'npm pnpm bun deno jsr poetry uv hatch flit pdm rye maturin lerna changeset @changesets/cli vsce @vscode/vsce ovsx sbt cabal gleam elm spago pulp dub nimble fpm opam composer dune-release beachball vcpkg pkg-pr-new'.split(
    ' ',
  );
/** Each has a sub-command `upload`. */
const uploaders =
  'twine maturin cabal stack luarocks conan anaconda pixi snapcraft hf huggingface-cli cpan-upload'.split(' ');
/** What runs a package runs a command of its name: to run it is to publish. */
const releasers =
  'np semantic-release release-it publish-please clean-publish dune-release cpan-upload release-plz'.split(' ');
const modules = 'poetry flit hatch pdm uv'.split(' ');
const containerTools = 'docker podman buildah nerdctl img'.split(' ');
const buildTools = 'gradle gradlew'.split(' ');

const each = (names: readonly string[], ...ways: readonly string[]): string[] =>
  names.flatMap((name) => ways.map((way) => `${name} ${way}`.trim()));

export const publishing: readonly string[] = [
  ...each(publishers, 'publish *'),
  ...each(uploaders, 'upload *'),
  ...each(releasers, '*'),
  'hatch * publish *',
  ...modules.map((name) => `python* -m ${name} publish *`),
  ...each(['npm', 'yarn', 'vsce', 'ovsx'], 'unpublish *'),
  'npm unp* *',
  'npm pu *',
  'npm pub *',
  'npm publ* *',
  'npm deprecate *',
  ...each(['npm'], 'dist-tag add *', 'dist-tag rm *', 'dist-tags add *', 'dist-tags rm *'),
  ...each(['yarn'], 'publish *', 'npm publish *', 'workspace * publish *', 'workspaces foreach * publish *'),
  ...each(['pnpm', 'yarn'], 'lerna publish *', 'changeset publish *', ...releasers.map((name) => `${name} *`)),
  'pnpm * publish *',
  'bun pm publish *',
  'goreleaser',
  'goreleaser --*',
  ...each(['goreleaser'], 'release *', 'r *'),
  'auto shipit *',
  ...each(['nx'], 'release *', 'publish *', 'run-many * publish *'),
  ...each(['mix'], 'hex.publish *'),
  ...each(['dart', 'flutter'], 'pub publish *', 'pub lish *'),
  'rebar3 hex publish *',
  ...each(['pod'], 'trunk push *', 'repo push *'),
  ...each(
    ['cargo'],
    'publish *',
    'yank *',
    'release *',
    'smart-release *',
    'ws publish *',
    'workspaces publish *',
    'release-plz release *',
  ),
  'python* setup.py * upload *',
  'python* setup.py * register *',
  'python* -m twine upload *',
  ...each(['gem'], 'push *', 'yank *', 'release *'),
  'rake release *',
  'swift package-registry publish *',
  ...each(['dotnet'], 'nuget push *', 'nuget delete *'),
  'nuget push *',
  ...each(containerTools, 'push *', 'image push *', 'manifest push *', 'plugin push *', 'model push *'),
  ...each(['docker'], '* --push *', '* --push=true *', 'compose * push *', 'buildx imagetools create *'),
  ...['type=registry', 'type=*push=true'].flatMap((kind) =>
    ['--output *', '--output=*', '-o *', '-o=*'].map((option) => `docker * ${option.replace('*', `${kind}*`)} *`),
  ),
  ...each(['docker-compose', 'podman-compose'], '* push *'),
  ...each(['oras'], 'push *', 'cp *'),
  ...each(['crane'], 'push *', 'cp *', 'copy *', 'tag *'),
  ...each(['skopeo'], 'copy *', 'sync *'),
  'regctl image copy *',
  ...each(['ko'], 'build *', 'publish *', 'apply *', 'resolve *'),
  ...each(['helm'], 'push *', 'cm-push *', 's3 push *'),
  'buf push *',
  ...each(['snapcraft'], 'push *', 'release *'),
  ...each(['dzil', 'minil'], 'release *'),
  'web-ext sign *',
  ...each(['fastlane'], 'deliver *', 'pilot upload *', 'supply *'),
  'eas submit *',
  ...each(['gh'], 'release create *', 'release upload *', 'release edit *', 'gist create *'),
  'gh repo create * --public *',
  ...each(['glab'], 'release create *', 'release upload *'),
  ...each(['hub', 'tea'], 'release create *', 'releases create *'),
  ...each(['mvn', 'mvnw'], '* deploy *', '* deploy:* *', '* release:perform *', '* nexus-staging:* *', '* *:publish *'),
  ...each(buildTools, '* publish*', '* publish* *', '* *:publish* *', '* uploadArchives *', '* *:uploadArchives *'),
  ...each(buildTools, '* bintrayUpload *', '* closeAndRelease* *'),
  ...each(['sbt'], '* +publish* *', '* publishSigned *', '* *publish *', '* ci-release *', '* sonatype* *'),
];
