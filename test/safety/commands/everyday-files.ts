/** Everyday lines of files and of Git: neither the floor nor a shipped rule has anything to say about them. */
import { linesOf } from '../judge-line.ts';

export const everydayFiles = linesOf(String.raw`
rm -rf build dist node_modules
rm -rf "$TMPDIR/x"
rm -rf "$dir"
rm -rf $dir
rm -rf "$OUT/build"
rm -rf "$BUILD_DIR/cache"
rm -rf "$(mktemp -d)"
tmp=$(mktemp -d); cd "$tmp"; rm -rf "$tmp"
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
d=$(mktemp -d); cp -r . "$d/x"; rm -rf "$d"
for d in a b c; do rm -rf "$d/node_modules"; done
for d in packages/*; do rm -rf "$d/dist"; done
for f in *.log; do rm -f "$f"; done
for d in */; do rm -rf "$d/target"; done
find . -name node_modules -prune -exec rm -rf {} +
find . -name node_modules -type d | xargs rm -rf
find . -name '*.orig' -delete
find . -name __pycache__ -print0 | xargs -0 rm -rf
ls *.bak | xargs rm -f
git ls-files -d | xargs git rm
git branch --merged | grep -v main | xargs git branch -d
git branch --merged | xargs -n1 git branch -d
rm -rf dist/*
rm -rf ./dist
rm -rf .next/cache
rm -rf ~/.cache/x
rm -rf /tmp/x
rm -rf /tmp/x/*
rm -rf "/tmp/foo-$USER"
rm -rf node_modules package-lock.json && npm install
rm -rf coverage .nyc_output
rm -f *.o
rm -r old
cd build && rm -rf *
cd dist && rm -rf ./*
mkdir -p build && cd build && cmake .. && make -j4
(cd pkg && rm -rf dist && npm run build)
rm -rf "$PWD/build"
rm -rf "$(pwd)/dist"
rm -rf "$HOME/.cache/foo"
rm -rf "$(git rev-parse --show-toplevel)/build"
rm -rf "$(dirname "$0")/build"
rm -rf $(find . -name '*.egg-info')
rm -rf $(cat list.txt)
rm -rf "$1"
git push
git push -u origin HEAD
git push origin main
git push origin HEAD
git push origin HEAD:refs/heads/x
git push origin v1.0
git push --tags
git push --follow-tags
git push --no-verify
git push --set-upstream origin feature/x
git push --dry-run
git push -q
git push --all
git push -o ci.skip
git push origin main && gh pr create --fill
git config user.name x
git config --global user.email x@y
git config remote.origin.url
git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
git config --get remote.origin.push
git config push.default current
git config push.autoSetupRemote true
git config alias.co checkout
git config --list
git remote add up https://x
git remote -v
git remote add --mirror=fetch x y
git fetch origin '+refs/heads/*:refs/remotes/origin/*'
git fetch -f
git fetch --prune
git pull --rebase
git checkout -B x
git branch -D x
git branch -f x HEAD
git tag -f v1
git tag -d v1
git reset --hard
git rebase -x 'npm test' main
git bisect run npm test
git submodule update --init --recursive
git submodule foreach git pull
git submodule foreach 'git checkout main'
git filter-branch --tree-filter 'rm -f secrets.txt' HEAD
git filter-branch --index-filter 'git rm --cached -r x' HEAD
git commit -am 'remove force push'
git commit -m "don't rm -rf /"
git log --grep 'rm -rf /'
git log --oneline | head
git grep 'sudo'
git stash drop
git worktree remove ../x
git clean -fdx
git send-email x
gh api repos/o/r
gh api repos/o/r/git/refs/heads/main
gh api -X POST repos/o/r/issues -f title=x
gh api -X PATCH repos/o/r/pulls/1 -f title=x
gh api graphql -f query='{viewer{login}}'
gh pr create --fill
gh pr merge 1 --squash
gh pr checkout 1
gh release list
gh release view v1
gh release download v1
gh run view 1 --log
gh repo view
gh repo clone o/r
gh issue create -t x -b y
gh workflow list
glab mr create
`);
