/** Command lines that only look, as people and agents write them: one a line. */
export const reads: readonly string[] = String.raw`
ls
ls -la
ls -lah src test
ls -1 *.ts
ls -R --color=never
cat package.json
cat -n a.ts b.ts
cat *.md
head -n 20 a.ts
head -20 a.ts
head -c 100 a.ts
tail -n +5 a.ts
tail -20 a.ts
wc -l a.ts
wc -l *.ts
sort a.txt
sort -u -k2,2n a.txt
sort -t, -k2 a.csv
uniq -c a.txt
uniq a.txt
cut -d: -f1 /etc/passwd
cut -c1-80 a.txt
tr a-z A-Z
tr -d '\n'
comm -12 a.txt b.txt
join a.txt b.txt
paste -sd, a.txt
fold -w 80 -s a.txt
fmt -w 72 a.txt
column -t -s, a.csv
nl -ba a.ts
tac a.txt
rev a.txt
od -An -tx1 a.txt
xxd -l 64 a.txt
xxd -l64 -s -16 -c8 a.txt
xxd -ps a.txt
hexdump -C a.txt
strings -n 8 a.txt
file a.ts
file -b --mime-type a.ts
stat a.ts
stat -c %s a.ts
stat --format=%Y a.ts
du -sh .
du -h --max-depth=1
df -h
df -T /
find . -name '*.ts'
find . -type f -name '*.ts' -not -path './node_modules/*'
find src test -maxdepth 2 -type d
find . -type f -size +1M -mtime -7 -print0
find . \( -name a.ts -o -name b.ts \) -prune -o -print
find . -name '*.ts' -exec grep -l foo {} +
find . -name '*.ts' -exec wc -l {} \;
find . -newer a.ts -printf '%p %s\n'
find src -name *.ts
fd -e ts
fd pattern src
tree -L 2
tree -a -I 'node_modules|.git'
rg foo
rg -n foo src
rg -l "foo bar" --type ts
rg --files
rg -g '*.ts' -C 3 foo
rg -i --hidden foo -A2
rg --files -g '!node_modules'
grep foo a.ts
grep -rn foo src
grep -rn --include='*.ts' foo .
grep -rn foo --exclude-dir=node_modules .
grep -E 'a|b' a.txt
grep -c foo a.txt
grep -A5 -B5 foo a.txt
grep -oP '(?<=x)y' a.txt
grep -v '^#' a.txt
grep -nE "export (const|function)" src/a.ts
egrep 'a|b' a.txt
fgrep x a.txt
ag foo src
ack foo
diff a.txt b.txt
diff -u a.txt b.txt
diff -rq src test
diff --color=always a.txt b.txt
cmp a.txt b.txt
sdiff a.txt b.txt
sha256sum a.txt
sha1sum a.txt b.txt
md5sum a.txt
md5sum -c sums
cksum a.txt
b2sum a.txt
base64 a.txt
base64 -d sums
basename /a/b.ts .ts
dirname /a/b
realpath a.ts
readlink -f a.ts
pwd
echo hello
echo -n hello
echo -e "a\nb"
printf '%s\n' a b
true
false
test -f a.ts
[ -f a.ts ]
date
date +%F
date -u +%Y-%m-%dT%H:%M:%SZ
date -d yesterday +%F
cal
uptime
uname -a
hostname
whoami
id
id -un
groups
who
w
users
last -5
nproc
arch
free -h
vmstat
lscpu
lsblk
lsof -i :3000
lsof -p 12
ps aux
ps -ef
ps -o pid,cmd -p 12
top -bn1
pgrep -f node
pidof node
pstree -p
env
printenv PATH
locale
getconf PAGE_SIZE
which node
whereis node
type ls
command -v node
hash
ulimit -a
umask
jobs
history
history 20
declare -p
set
shopt
seq 1 10
expr 1 + 2
bc -l a.bc
factor 12
numfmt --to=iec 1000
sleep 0.01
wait
tput cols
getent passwd root
jq . a.json
jq -r '.a[]' a.json
jq --arg x y '.a == $x' a.json
jq '.scripts' package.json
jq -s 'add' a.json a.json
jq -e --slurpfile x a.json '$x' a.json
yq '.a' a.yaml
yq eval '.a.b' a.yaml
xmllint --format a.xml
xmllint --xpath '//a' a.xml
awk '{print $1}' a.txt
awk -F, '{sum += $2} END {print sum}' a.csv
awk 'NR>=10 && NR<=20' a.txt
awk -F: '$3 >= 1000 {print $1}' /etc/passwd
awk '/foo/ {print NR": "$0}' a.txt
awk 'length > 80' a.ts
awk 'length($0) > 80 {print FILENAME": "FNR}' a.ts b.ts
awk -v n=3 'NR==n' a.txt
awk '{printf "%s %d\n", $1, $2}' a.txt
awk '!seen[$0]++' a.txt
awk 'BEGIN {print 7 / 2}'
sed -n 1,20p a.ts
sed -n '10,20p' a.ts
sed 's/a/b/g' a.txt
sed -e 's/a/b/' -e 's/c/d/' a.txt
sed -n '/foo/,/bar/p' a.txt
sed '/^$/d' a.txt
sed -E 's/(a|b)+/x/g' a.txt
sed 's#/usr#/opt#' a.txt
sed -n '$=' a.txt
sed '1d;$d' a.txt
sed -n '/x/{p;q}' a.txt
sed 5q a.txt
sed "s/[^a-z]//g" a.txt
sed ':a;N;$!ba;s/\n/ /g' a.txt
tar -tf a.tar
tar tzf a.tgz
tar -tvf a.tar
tar --list -f a.tar
unzip -l a.zip
unzip -Z a.zip
unzip -p a.zip a.txt
zipinfo a.zip
gzip -l a.gz
gzip -t a.gz
gzip -dc a.gz
zcat a.gz
zgrep foo a.gz
bzcat a.bz2
xzcat a.xz
openssl x509 -in c.pem -text -noout
openssl x509 -in c.pem -noout -enddate
openssl version
git status
git status -s
git status --short --branch
git status --porcelain=v2
git log
git log --oneline -10
git log --oneline --graph --all
git log -p -2 -- src/a.ts
git log --since='2 weeks ago' --author=x
git log --format='%h %s' -n 5
git log --stat -1
git log -1 --pretty=%B
git log HEAD~1..HEAD
git log -S foo --oneline
git log --follow a.ts
git log -L1,2:a.ts
git show
git show HEAD
git show HEAD:src/a.ts
git show --stat HEAD
git show --name-only HEAD
git diff
git diff --stat
git diff HEAD~1
git diff --cached
git diff --name-only HEAD~1...HEAD
git diff -w a.ts
git diff HEAD -- src
git diff -U10
git diff --word-diff
git diff --no-index a.txt b.txt
git blame a.ts
git blame -L 1,2 a.ts
git shortlog -sn HEAD
git describe --tags --always
git rev-parse HEAD
git rev-parse --show-toplevel
git rev-parse --abbrev-ref HEAD
git rev-list --count HEAD
git ls-files
git ls-files -m
git ls-files --others --exclude-standard
git ls-tree -r HEAD --name-only
git cat-file -p HEAD
git cat-file -t HEAD
git branch
git branch -a
git branch -vv
git branch --show-current
git branch --list 'feat/*'
git branch -r
git branch --merged HEAD
git branch --contains HEAD
git tag
git tag -l
git tag -l 'v*'
git tag --sort=-creatordate
git remote
git remote -v
git remote get-url origin
git stash list
git stash show
git stash show -p stash@{0}
git reflog
git reflog -10
git config --get user.name
git config --list
git config user.email
git config -l --show-origin
git grep foo
git grep -n foo -- '*.ts'
git for-each-ref --sort=-committerdate refs/heads
git name-rev HEAD
git merge-base HEAD~1 HEAD
git count-objects -vH
git check-ignore -v a.ts
git check-attr -a a.ts
git var GIT_AUTHOR_IDENT
git version
git --version
git worktree list
git submodule status
git notes list
git notes show
git bisect log
git diff-tree --no-commit-id --name-only -r HEAD
git diff-index HEAD
git symbolic-ref HEAD
git symbolic-ref --short HEAD
git cherry -v HEAD~1
git range-diff HEAD~1...HEAD
git whatchanged -1
git fsck
git clean -n
git clean -ndx -e new.ts
git add -n .
git add --dry-run -A
git rm -n a.ts
git rm -rn --cached src
git mv -n a.txt c.txt
git apply --check x.patch
git apply --stat --summary x.patch
git format-patch -1 --stdout
git merge-file -p a.ts b.ts src/b.ts
git remote show -n origin
git column --mode=column
git interpret-trailers --parse a.txt
git blame --reverse HEAD~1..HEAD a.ts
env FOO=1 cat a.txt
bash -n a.sh
sh -n a.sh
node --check a.js
node -c a.js
php -l a.php
python3 -I -m json.tool a.json
python3 -I -m json.tool --indent 2
python3 -I -m ast a.py
eza -la
exa --tree
lsd -l
fdfind foo
batcat -p a.ts
ffprobe -v error -show_format a.mp4
ffmpeg -version
mediainfo a.mp4
pdfinfo a.pdf
pdffonts a.pdf
pdfimages -list a.pdf
pdftotext a.pdf -
pdftotext -layout a.pdf -
exiftool a.txt
exiftool -json -DateTimeOriginal a.txt
namei -l src/a.ts
lsb_release -a
lshw -short
dmidecode -t memory
nvidia-smi
nvidia-smi --query-gpu=name --format=csv
zpool status
zfs list
xxhsum a.txt
crc32 a.txt
jar tf a.zip
jo a=1
svnversion
svn --version
lz4 -dc a.lz4
lz4cat a.lz4
brotli -dc a.br
cpio -t
cpio -itv
7za l a.zip
rsync -avn src/ test/
rsync --dry-run -a --delete src/ test/
terraform fmt -check -diff
kubectl version --client -o json
conda env list
apt-config dump
sfdisk -l
openssl md5 a.txt
gpg --list-keys --keyid-format LONG
nginx -V
hugo version
dot -V
cabal --version
git -C src status
git --no-pager log -3
git --no-pager diff
git -c color.ui=never status
git -c core.quotepath=false ls-files
git show-ref
npm ls
npm ls --depth=0
npm root
npm prefix
npm config get registry
npm --version
npm -v
npm run
pip list
pip show pip
pip freeze
pip --version
pip3 list
go version
go env GOPATH
go list ./...
go doc fmt
python --version
python3 -V
node --version
node -v
cargo --version
rustc --version
gcc --version
make --version
docker --version
docker ps -a
docker images
docker inspect x
docker logs --tail 100 x
docker info
docker compose ps
docker compose logs api
docker stats --no-stream
docker volume ls
systemctl status nginx
systemctl list-units --type=service
systemctl is-active nginx
journalctl -u nginx -n 50 --no-pager
journalctl --since today
dpkg -l
dpkg -L bash
dpkg -s bash
dpkg -S /bin/ls
apt list --installed
apt show bash
apt-cache policy bash
rpm -qa
rpm -qi bash
brew list
pacman -Q
crontab -l
ip addr
ip a
ip route show
ip -br link
ss -tlnp
netstat -tlnp
ifconfig
ls --help
grep --version
man ls
less a.ts
less +10 a.ts
more a.ts
bat a.ts
bat -p --paging=never a.ts
xargs -n1 echo
xargs grep -l foo
timeout 5 ls
nice ls
env LC_ALL=C sort a.txt
stdbuf -oL grep x a.txt
pr a.txt
iconv -f latin1 -t utf8 a.txt
shuf -n 5 a.txt
split --help
kill -l
cd src
cd ..
export LANG=C
export foo=bar
set -e
set -euo pipefail
trap - EXIT
mount
findmnt
lsmod
sysctl kernel.hostname
tokei
cloc src
cloc --by-file --include-lang=TypeScript -json src
pkg-config --modversion zlib
units '2 miles' km
ar t lib.a
openssl list -digest-algorithms
tmux ls
kill -0 12
fd x -x wc -l
less -N -j5 a.ts
ninja --version
make -v
cargo metadata --no-deps --format-version 1
go list -m
shellcheck a.sh
gofmt -d a.go
nm a.o
objdump -d a.o
readelf -h a.o
ls -la "src"/a.ts
'ls' -la
/bin/ls -la
/usr/bin/git log -1
`
  .trim()
  .split('\n');
