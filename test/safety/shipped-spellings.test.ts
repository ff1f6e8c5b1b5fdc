/** Spellings of what the shipped rules are about: pushing by force, publishing, other users’ rights. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { analyserOf } from './analyser.ts';
import { judgeLine, linesOf } from './judge-line.ts';

const analyser = analyserOf();
after(() => analyser.close());

const pushing = linesOf(String.raw`
git config remote.origin.push +main && git push
git config remote.origin.push '+refs/heads/*:refs/heads/*' && git push
git config --add remote.origin.push '+refs/*:refs/*'; git push
git config set remote.origin.push +main; git push
git config --local remote.origin.push +main
git config remote.origin.mirror true && git push
git config set --append remote.origin.mirror true
git config --type=bool remote.origin.mirror yes
git remote add --mirror=push x y && git push x
git remote add --mirror x y
git config alias.p 'push -f' && git p
git config alias.p 'push --force'
git config --global alias.yolo 'push --force'
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.push GIT_CONFIG_VALUE_0=+main git push
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.push GIT_CONFIG_VALUE_0=+main; git push
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.mirror GIT_CONFIG_VALUE_0=true && git push origin
GIT_CONFIG_KEY_0=remote.origin.push; export GIT_CONFIG_KEY_0; git push
GIT_CONFIG_PARAMETERS="'remote.origin.push=+main'" git push
env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.push GIT_CONFIG_VALUE_0=+main git push
git --config-env=remote.origin.push=X push
X=+main git --config-env remote.origin.push=X push
git-push -f
git-push --force origin main
/usr/lib/git-core/git-push -f
/usr/lib/git-core/git-send-pack --force x
git http-push --force http://x
git http-push -D http://x main
gh api -X PATCH repos/o/r/git/refs/heads/main -f sha=abc -f force=true
gh api -X PATCH repos/o/r/git/refs/heads/main -F force=true -f sha=abc
gh api --method PATCH /repos/o/r/git/refs/heads/main -f sha=a -F force=true
gh api --method=PATCH repos/o/r/git/refs/heads/main --field force=true
gh api -XPATCH repos/o/r/git/refs/heads/main --raw-field force=true
gh api -X DELETE repos/o/r/git/refs/heads/x
gh api --method DELETE /repos/o/r/git/refs/heads/x
gh api -XDELETE repos/o/r/git/refs/tags/v1
gh api --method=delete repos/o/r/git/refs/heads/x
gh repo delete o/r --yes
gh repo delete o/r
glab api -X DELETE projects/1/repository/branches/x
glab api --method DELETE projects/1/repository/branches/x
glab repo delete o/r
curl -X PATCH https://api.github.com/repos/o/r/git/refs/heads/main -d '{"force":true}'
curl -X DELETE https://api.github.com/repos/o/r/git/refs/heads/x
hub push -f
jj git push --deleted
jj git push --allow-backwards
hg push --force
hg push -f
`);

const publishing = linesOf(String.raw`
npm unp x
npm deprecate x@1 no
npm dist-tag add x@1 latest
npm dist-tags add x@1 latest
npm dist-tag rm x latest
npm pu
bun pm publish
cargo workspaces publish
cargo smart-release --execute
cargo release-plz release
release-plz release
python -m poetry publish
python -m flit publish
hatch -e x publish
python -m hatch publish
rye publish
maturin upload x
python setup.py register
pixi upload x
anaconda upload x
gem release
dotnet nuget delete x 1
docker buildx build --push=true -t x .
docker buildx build --output=type=registry .
docker buildx build --output type=image,push=true .
docker buildx build -o type=image,push=true .
docker plugin push x
docker model push x
crane copy a b
crane tag a b
regctl image copy a b
oras cp a b
ko build ./cmd
ko publish ./cmd
ko apply -f x
img push x
helm cm-push x y
helm s3 push x y
npx @vscode/vsce@latest publish minor
vsce unpublish x
npx ovsx@latest publish
mvn nexus-staging:release
mvn central-publishing:publish
gradle uploadArchives
./gradlew uploadArchives
./gradlew closeAndReleaseRepository
./gradlew bintrayUpload
sbt publishSigned
sbt +publish
sbt 'clean; publish'
sbt ci-release
goreleaser
goreleaser --rm-dist
goreleaser r
pnpm semantic-release
yarn semantic-release
yarn lerna publish
yarn changeset publish
npx @changesets/cli publish
npx auto shipit
auto shipit
npx beachball publish
beachball publish
nx run-many -t publish
npx nx publish x
npx clean-publish
npx publish-please
npx pkg-pr-new publish
npx jsr publish
jsr publish
npx jsr@latest publish
flutter pub publish
dart pub lish
rebar3 hex publish
gleam publish
cabal upload x
cabal upload --publish x
stack upload .
stack sdist && stack upload x
opam publish
dune-release publish
dune-release
luarocks upload x
pod repo push x y
swift package-registry publish x 1
composer publish
elm publish
dub publish
nimble publish
spago publish
pulp publish
cpan-upload x
dzil release
minil release
fpm publish
conan upload x
vcpkg publish
buf push
npx web-ext sign
web-ext sign
fastlane deliver
fastlane pilot upload
eas submit
npx eas submit
snapcraft upload x
snapcraft push x
snapcraft release x 1 stable
gh release edit v1 --draft=false
gh gist create x
gh repo create x --public --push
glab release upload v1 x
tea release create v1
hub release create v1
huggingface-cli upload x
hf upload x y
npx -y npm@10 publish
`);

const asOthers = linesOf(String.raw`
capsh --print
capsh -- -c ls
capsh --user=root -- -c ls
pleaseedit x
super ls
calife root
sux root
ssu root
gksu ls
kdesudo ls
lxsudo ls
beesu ls
pfexec ls
pbrun ls
sesudo ls
runas /user:Administrator cmd
doasedit x
setuidgid x ls
s6-setuidgid x ls
chpst -u x ls
start-stop-daemon --start --chuid root --exec /bin/ls
visudo
`);

const rules = { 'no-force-push': pushing, 'no-publishing': publishing, 'no-sudo': asOthers };

describe('a shipped rule sees its matter in every spelling', () => {
  for (const [rule, commands] of Object.entries(rules)) {
    for (const command of commands) {
      test(`${rule}: ${command}`, async () => {
        const { decision, by } = await judgeLine(analyser, 'auto', command);
        assert.deepEqual([decision, by], ['deny', `pack:${rule}`]);
      });
    }
  }
});
