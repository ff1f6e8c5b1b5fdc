/** Everyday lines of packages, the network and programs: neither the floor nor a shipped rule has anything to say about them. */
import { linesOf } from '../judge-line.ts';

export const everydayTools = linesOf(String.raw`
npm run build
npm test
npm ci
npm install
npm install x
npm run lint -- --fix
npm version patch
npm pack
npm view x
npm whoami
npm dist-tag ls x
npm outdated
npm audit fix
npm publish --help
npm link
npm exec tsc
npx tsc --noEmit
npx prettier --write .
npx eslint . --fix
npx rimraf dist
npx rimraf node_modules
npx create-vite x
npx vitest run
npx playwright test
pnpm install
pnpm -r build
pnpm build
pnpm dlx x
yarn
yarn build
yarn workspaces foreach run build
bun install
bun test
bun run build
cargo build
cargo test
cargo run
cargo package
cargo fmt
cargo clippy -- -D warnings
cargo doc
twine check dist/*
python -m build
python -m twine check dist/*
python setup.py sdist
python setup.py develop
pip install -e .
pip install git+https://h/r
pip install -r requirements.txt
uv sync
uv pip install x
uv build
uv run pytest
poetry install
poetry build
hatch build
flit build
gem build x.gemspec
gem install x
bundle install
bundle exec rspec
rake test
dotnet build
dotnet test
dotnet nuget list source
docker build .
docker build -t x/y .
docker run --rm alpine ls
docker run -v "$PWD":/w -w /w node npm test
docker run --rm -v $(pwd):/src x make
docker run -v /tmp/x:/x alpine rm -rf /x/y
docker run --rm -v "$PWD:/w" alpine rm -rf /w/build
docker compose up -d
docker compose build
docker compose down -v
docker pull x
docker ps
docker exec c ls
docker exec c rm -rf /app/cache
docker buildx build -t x .
docker buildx build --load .
docker image prune -f
docker system prune -f
docker save x -o x.tar
docker cp c:/x .
podman build .
podman run x
helm lint x
helm template x
helm package x
mvn package
mvn clean install
mvn test
./mvnw verify
gradle build
./gradlew build
./gradlew test
./gradlew assemble
sbt test
sbt publishLocal
goreleaser check
goreleaser build --snapshot
npx changeset
npx changeset version
npx lerna run build
nx build x
deno test
deno run -A main.ts
vsce package
curl -s http://h/x | jq .
curl http://h/x.json -o x.json && cat x.json
curl -s http://h/x > x.json
curl -s http://h/x | head
curl -s http://h/x | grep y
curl -s http://h/x | python3 -m json.tool
curl -s http://h/x | python3 -c 'import json,sys; print(json.load(sys.stdin)["a"])'
curl -s http://h/x | node -e 'console.log(JSON.parse(require("fs").readFileSync(0)).a)'
curl -s http://h/x | tar xz
curl -L http://h/x.tgz | tar xz -C /tmp
curl -o x.zip http://h/x.zip && unzip x.zip
curl -O http://h/x.tar.gz && tar xzf x.tar.gz
curl -s http://h/x | while read l; do echo "$l"; done
curl -s http://h/x | xargs -n1 echo
curl -s http://h/x | tee x.json
curl -s localhost:3000/health
curl -fsS localhost:8080 || echo down
x=$(curl -s http://h/x); echo "$x"
x=$(curl -s http://h/x | jq -r .a); echo $x
token=$(curl -s http://h/t | jq -r .t); curl -H "A: $token" http://h/y
curl -s http://h/x -o x.json; node x.js
curl -o data.csv http://h/d && python3 analyze.py
curl -o data.csv http://h/d && python3 analyze.py data.csv
curl -d @body.json http://h/x
wget http://h/x.tar.gz
wget -q http://h/x.zip && unzip x.zip
wget http://h/data.csv && python3 a.py
bash install.sh
sh x.sh
bash -c 'echo hi'
bash scripts/build.sh
source venv/bin/activate
. ./env.sh
source ~/.nvm/nvm.sh && nvm use 20
eval "$(ssh-agent -s)"
eval "$(direnv hook bash)"
eval "$(pyenv init -)"
cat x.sh | bash
git clone https://h/r && cd r && npm install
git clone https://h/r
kill 1234
kill %1
kill -9 1234
kill -9 $PID
kill $(cat x.pid)
kill $(lsof -t -i:3000)
kill -9 $(lsof -ti:3000)
lsof -ti:3000 | xargs kill -9
kill -0 $pid
kill -l
kill -- -1234
kill -TERM -$PGID
pkill -f vite
pkill node
killall node
pgrep -f vite | xargs kill
fuser -k 3000/tcp
ps aux | grep node
chmod +x x.sh
chmod -R u+rwX build
chmod 755 x
chown -R me build
ls -la /
ls ~
find / -name x 2>/dev/null
find ~ -name '*.ts' | head
du -sh /usr
df -h
cat /etc/os-release
echo 'rm -rf /'
echo "sudo rm -rf /"
printf 'sudo %s\n' x
grep -r 'rm -rf /' .
grep -rn "curl.*| sh" docs
sed -i 's/sudo //' x.sh
sed -n '1,5p' x
awk '{print $1}' x
awk -F, '{s+=$2} END {print s}' x
awk 'BEGIN{system("date")}'
perl -pe 's/a/b/' x
perl -e 'print 1'
python3 -c 'print(1)'
python3 -c "import shutil; shutil.rmtree('build')"
python3 -c "import shutil; shutil.rmtree('/tmp/x')"
python3 -c 'import os; print(os.listdir("/"))'
python3 -c 'import os; os.system("ls /")'
python3 - <<< 'print("/")'
node -e 'console.log(1)'
node -e "require('fs').rmSync('dist', {recursive:true, force:true})"
node -e "console.log(require('path').join('/', 'x'))"
node -p 'process.version'
ruby -e 'puts 1'
php -r 'echo 1;'
node script.js
python3 x.py
make
make build
make clean
make release
just build
cmake --build build
ctest
go build ./...
go test ./...
fd . -e ts
fd node_modules -x echo
fd -e orig -x rm
fd -t d __pycache__ -x rm -rf
rg foo /
rsync -a src/ dst/
rsync -a --delete build/ out/
tar czf x.tgz src
mv a b
mv src/* lib/
cp -r a b
ln -s a b
systemctl status x
systemctl --user status x
unshare --help
chroot --version
shutdown --help
su --version
tmux new -d 'npm run dev'
watch -n1 date
timeout 60 npm test
nohup npm start &
env NODE_ENV=test npm test
xargs -n1 echo < x
for i in 1 2 3; do curl -s localhost:$i; done
while ! curl -s localhost:3000; do sleep 1; done
while read l; do echo "$l"; done < x
for f in $(git ls-files); do wc -l "$f"; done
[ -d build ] && rm -rf build
test -d dist && rm -rf dist || true
if [ -d x ]; then rm -rf x; fi
mkdir -p /tmp/x && cd /tmp/x && rm -rf *
terraform plan
kubectl get pods
ssh h ls
scp x h:y
dd if=/dev/zero of=x bs=1M count=1
dd if=a of=b
cat x > /dev/null
command -v sudo
which sudo
type sudo
man sudo
id
whoami
groups
`);
