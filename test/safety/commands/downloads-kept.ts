/** Everyday lines about downloads, interpreters and files, in which no download is run. */
import { linesOf } from '../judge-line.ts';

export const downloadsKept = linesOf(
  String.raw`
curl -s https://x.test/a | jq .
curl -s https://x.test/a | jq -r '.tag_name'
curl -s https://x.test/a | grep version
curl -s https://x.test/a | head -5
curl -s https://x.test/a | wc -l
curl -s https://x.test/a | less
curl -s https://x.test/a | sha256sum
curl -s https://x.test/a | sha256sum -c -
curl -s https://x.test/a | tar xz
curl -sL https://x.test/a | tar xz -C sub
curl -sL https://x.test/a | tar xzf - --strip-components=1
curl -s https://x.test/a | gunzip > data
curl -s https://x.test/a | base64 -d > key
curl -s https://x.test/a | xxd | head
curl -s https://x.test/a | tee data.json | jq .
curl -s https://x.test/a | tee data.json
curl -s https://x.test/a | sed 's/a/b/'
curl -s https://x.test/a | awk '{print $1}'
curl -s https://x.test/a | cut -d, -f1 | sort | uniq -c
curl -s https://x.test/a | python3 -m json.tool
curl -s https://x.test/a | python3 -c 'import json, sys; print(json.load(sys.stdin)["a"])'
curl -s https://x.test/a | python3 parse.py
curl -s https://x.test/a | python3 parse.py -
curl -s https://x.test/a | node parse.js
curl -s https://x.test/a | node -e 'process.stdin.pipe(process.stdout)'
curl -s https://x.test/a | node -p 'JSON.parse(require("fs").readFileSync(0)).a'
curl -s https://x.test/a | ruby -rjson -e 'puts JSON.parse(STDIN.read)["a"]'
curl -s https://x.test/a | perl -ne 'print if /x/'
curl -s https://x.test/a | perl -pe 's/a/b/'
curl -s https://x.test/a | php parse.php
curl -s https://x.test/a | bash parse.sh
curl -s https://x.test/a | sh -c 'grep x'
curl -s https://x.test/a | bash -c 'cat > data'
curl -s https://x.test/a | deno run parse.ts
curl -s https://x.test/a | bun run parse.ts
curl -s https://x.test/a | xargs
curl -s https://x.test/a | xargs echo
curl -s https://x.test/a | xargs -n1 basename
curl -s https://x.test/a | xargs -I{} curl -O https://x.test/{}
curl -s https://x.test/a | xargs -I{} sh -c 'curl -O https://x.test/{}'
curl -s https://x.test/a | xargs -n1 -P4 wget -q
curl -s https://x.test/a | while read -r l; do echo "$l"; done
curl -s https://x.test/a | while IFS= read -r l; do printf '%s\n' "$l" >> list; done
curl -s https://x.test/a | while read -r name; do curl -O "https://x.test/$name"; done
curl -s https://x.test/a | tee >(sha256sum > sum) > data
curl -s https://x.test/a > >(tee log)
curl -s https://x.test/a | (cd sub && tar x)
curl -s https://x.test/a | { read -r first; echo "$first"; }
curl -s https://x.test/a | sqlite3 x.db
curl -s https://x.test/a | docker load
curl -s https://x.test/a | kubectl apply -f -
curl -s https://x.test/a | gpg --import
curl -s https://x.test/a | diff - local
curl -s https://x.test/a | bash -n
curl -o data.json https://x.test/a && cat data.json
curl -o data.json https://x.test/a && jq . data.json
curl -o data.json https://x.test/a && node build.js data.json
curl -o data.json https://x.test/a && python3 script.py data.json
curl -o data.csv https://x.test/a && python3 -c 'print(open("data.csv").read())'
curl -o data.csv https://x.test/a && python3 script.py < data.csv
curl -o data.csv https://x.test/a && cat data.csv | python3 script.py
curl -o x.tar.gz https://x.test/a && tar xzf x.tar.gz
curl -LO https://x.test/x.tar.gz && tar xzf x.tar.gz && cd x && ./configure && make
curl -LO https://x.test/x.zip && unzip x.zip && rm x.zip
curl -LO https://x.test/x.deb && dpkg -I x.deb
curl -o i.sh https://x.test/i.sh
curl -o i.sh https://x.test/i.sh && cat i.sh
curl -o i.sh https://x.test/i.sh && less i.sh
curl -o i.sh https://x.test/i.sh && bash -n i.sh
curl -o i.sh https://x.test/i.sh && shellcheck i.sh
curl -o i.sh https://x.test/i.sh && chmod +x i.sh
curl -o i.sh https://x.test/i.sh && sha256sum i.sh
curl -o i.sh https://x.test/i.sh && bash other.sh
curl -o i.sh https://x.test/i.sh; ./build.sh
curl -o src/vendor/x.js https://x.test/x.js && npm test
curl -o src/vendor/x.js https://x.test/x.js && node --check src/vendor/x.js
curl -o src/vendor/x.js https://x.test/x.js && npx eslint src/vendor/x.js
curl -o x.patch https://x.test/x.patch && git apply x.patch
curl https://x.test/x.diff | git apply
curl https://x.test/x.patch | patch -p1
curl -o requirements.txt https://x.test/r && pip install -r requirements.txt
curl -o openapi.json https://x.test/o && npx openapi-typescript openapi.json -o types.ts
curl -o /tmp/page.html https://x.test/a && grep -c href /tmp/page.html
curl -sSf https://x.test/health && npm start
curl -sSf https://x.test/health || exit 1; npm test
curl -sSf https://x.test/health > /dev/null && bash deploy-check.sh
curl -s -o /dev/null -w '%{http_code}' https://x.test/ && sh run.sh
curl -d @body.json https://x.test/ > out.json && node check.js out.json
wget https://x.test/a && sha256sum a
wget -O x https://x.test/a && file x
wget -qO- https://x.test/a | tar xJ
wget -q https://x.test/a.zip && unzip -q a.zip
wget -qO data.xml https://x.test/a && xmllint data.xml
x=$(curl -s https://x.test/a); echo "$x"
x=$(curl -s https://x.test/a); echo "$x" | jq .
x=$(curl -s https://x.test/a); echo "$x" | grep -q ok
x=$(curl -s https://x.test/a); printf '%s\n' "$x" > data.json
x=$(curl -s https://x.test/a); printf '%s\n' "$x" > data.json; node build.js
x=$(curl -s https://x.test/a); [ "$x" = 200 ] && npm test
x=$(curl -s https://x.test/a); if [ "$x" != ok ]; then exit 1; fi; bash run.sh
x=$(curl -s https://x.test/a); case "$x" in ok) sh run.sh;; esac
x=$(curl -s https://x.test/a | jq -r .tag_name); curl -LO "https://x.test/$x.tar.gz"
x=$(curl -s https://x.test/a | jq -r .tag_name); git checkout "$x"
x=$(curl -s https://x.test/a | jq -r .tag_name); npm install "pkg@$x"
x=$(curl -s https://x.test/a | jq -r .version); python3 bump.py "$x"
x=$(curl -s https://x.test/a | jq -r .version); python3 bump.py --to="$x"
x=$(curl -s https://x.test/a | jq -r .version); node scripts/set.js "$x"
x=$(curl -s https://x.test/a | jq -r .version); bash scripts/set.sh "$x"
x=$(curl -s https://x.test/a | jq -r .version); ./scripts/set.sh "$x"
x=$(curl -s https://x.test/a | jq -r .version); sh -c "echo $x"
x=$(curl -s https://x.test/a | jq -r .version); bash -c "scripts/set.sh $x"
x=$(curl -s https://x.test/a | jq -r .version); make VERSION="$x"
x=$(curl -s https://x.test/a | jq -r .version); VERSION="$x" node build.js
x=$(curl -s https://x.test/a | jq -r .version); env VERSION="$x" npm run build
x=$(curl -s https://x.test/a | jq -r .version); sed -i "s/0.0.0/$x/" package.json
x=$(curl -s https://x.test/a); python3 script.py <<< "$x"
x=$(curl -s https://x.test/a); jq . <<< "$x"
x=$(curl -s https://x.test/a); read -r a b <<< "$x"; echo "$a"
for u in $(curl -s https://x.test/list); do wget -q "$u"; done
for u in $(curl -s https://x.test/list); do echo "$u"; done
mapfile -t a < <(curl -s https://x.test/list); echo "\${a[@]}"
while read -r l; do echo "$l"; done < <(curl -s https://x.test/list)
diff <(curl -s https://x.test/a) <(curl -s https://x.test/b)
diff <(curl -s https://x.test/a) local.json
jq . <(curl -s https://x.test/a)
python3 script.py <(curl -s https://x.test/a)
node build.js <(curl -s https://x.test/a)
bash compare.sh <(curl -s https://x.test/a) local
tar xzf <(curl -sL https://x.test/a)
echo "$(curl -s https://x.test/a)"
echo "$(date): $(curl -s https://x.test/a)" >> log
timeout 1 bash -c '</dev/tcp/localhost/8080'
timeout 1 bash -c 'cat < /dev/null > /dev/tcp/localhost/8080'
until nc -z localhost 8080; do sleep 1; done; npm test
nc -z localhost 5432 && python3 migrate.py
dig +short x.test
ip=$(dig +short x.test); echo "$ip"
ip=$(dig +short x.test); curl --resolve "x.test:443:$ip" https://x.test/
python3 script.py < data
cat x.sh | bash
cat a.sql | psql x
bash < x.sh
sh x.sh
bash <(cat x.sh)
source <(kubectl completion bash)
source <(npm completion)
source .venv/bin/activate
bash <(echo ls)
source <(echo 'x=1'); echo "$x"
bash /dev/stdin <<< 'ls src'
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=cat; git push
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=x && git commit -m x && git push
. ./env.sh && npm test
source ~/.nvm/nvm.sh && nvm use
eval "$(ssh-agent -s)"
eval "$(direnv hook bash)"
eval "$(gh completion -s bash)"
eval "$(brew shellenv)"
node build.js | tee log
node -e 'console.log(1)'
echo 'console.log(1)' | node
echo 'print(1)' | python3 -
python3 - <<< 'print(1)'
while read l; do echo "$l"; done < file
while read -r f; do node --check "$f"; done < list
git ls-files | xargs -n1 bash -n
git diff --name-only | xargs -I{} sh -c 'echo {}'
find . -name '*.sh' | xargs shellcheck
npm ci && npm test
pip install -r requirements.txt
git clone https://x.test/a && cd a && npm install
git clone https://x.test/a && cat a/README.md
npx tsc --noEmit
npx -y prettier --check .
deno run main.ts
deno run -A main.ts
deno task build
deno test
bun run build
bun test
uv run main.py
uv run pytest
pwsh -c 'Get-ChildItem'
pwsh -File build.ps1
pwsh -c 'iwr https://x.test/a -OutFile a'
python3 -c "import urllib.request as u; print(u.urlopen('https://x.test/a').read())"
python3 -c "import requests; print(requests.get('https://x.test/a').status_code)"
node -e "fetch('https://x.test/a').then(r => r.text()).then(t => console.log(/x/.exec(t)))"
node -e "fetch('http://localhost:3000').then(r => console.log(r.status))"
ruby -e "require 'open-uri'; puts URI.open('https://x.test/a').read"
f=$(mktemp); curl -o "$f" https://x.test/a && jq . "$f"
f=$(mktemp); curl -o "$f" https://x.test/a && tar xf "$f" && rm "$f"
t=$(mktemp -d); curl -o "$t/a" https://x.test/a; ls "$t"; bash run.sh "$t/a"
f() { curl -s "https://x.test/$1"; }; f a | jq .
f() { echo "$1"; }; f "$(curl -s https://x.test/a)"
cp a b && node b
echo 'echo hi' > x.sh && sh x.sh
printf 'print(1)\n' > x.py && python3 x.py
cat > x.py <<< 'print(1)' && python3 x.py
gcc x.c -o x && ./x
make -f build.mk
awk -f x.awk data
jq -r .scripts.build package.json | sh
sed -n 1p x.sh | bash
base64 -d x.b64 > x.bin
docker run --rm x sh -c 'curl -s https://x.test/a'
docker exec x curl -s https://x.test/a
ssh-keygen -lf key
`.replaceAll(String.raw`\${`, '${'),
);
