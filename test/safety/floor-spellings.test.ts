/** What the floor stops in every mode, in spellings that name the place indirectly: expansions, substitutions, loops, code. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { analyserOf } from './analyser.ts';
import { judgeLine, linesOf } from './judge-line.ts';

const analyser = analyserOf();
after(() => analyser.close());

const refused = linesOf(String.raw`
a=(/); rm -rf $a
rm -rf "$(git rev-parse --show-toplevel)/.git"
bash <(echo rm -rf /)
bash <(echo 'rm -rf "$1"') /
sh <(printf 'rm -rf /\n')
source <(echo rm -rf /)
. <(printf %s 'rm -rf /')
bash < <(echo rm -rf /)
bash /dev/stdin <<< 'rm -rf /'
. /dev/stdin <<< 'rm -rf /'
echo 'rm -rf /' | bash /dev/stdin
echo 'rm -rf /' | source /dev/stdin
x='rm -rf /'; bash <(echo "$x")
rm -rf "$(git rev-parse --git-dir)"
rm -rf $(git rev-parse --absolute-git-dir)
rm -rf $(echo /)
rm -rf "$(echo /)"
rm -rf $(printf /)
rm -rf $(printf '%s' /)
rm -rf "$(echo $HOME)"
rm -rf $(dirname /usr)
rm -rf $(dirname "$PWD")
rm -rf $(realpath ..)
x=$(echo /); rm -rf $x
for d in /*; do rm -rf "$d"; done
for d in /* ~/*; do rm -rf $d; done
for d in ~/*; do rm -rf "$d"; done
echo / | while read d; do rm -rf "$d"; done
echo / | while read -r d; do rm -rf "$d"; done
while read d; do rm -rf "$d"; done <<< /
while IFS= read -r d; do rm -rf "$d"; done <<< "/"
read d <<< /; rm -rf "$d"
read -r d <<< / && rm -rf "$d"
echo / | { read d; rm -rf "$d"; }
printf -v d /; rm -rf $d
echo 'rm -rf /' | xargs -I{} sh -c {}
echo 'rm -rf /' | xargs -I{} sh -c '{}'
echo 'rm -rf /' | while read l; do $l; done
echo 'rm -rf /' | while read l; do eval "$l"; done
awk 'BEGIN{system("rm -rf /")}'
awk 'BEGIN { system("rm -rf ~") }' x
gawk 'BEGIN{system("rm -rf /")}'
awk 'BEGIN{"rm -rf /" | getline}'
awk 'BEGIN{print "rm -rf /" | "sh"}'
awk 'BEGIN{print | "rm -rf /"}'
vim -c '!rm -rf /' -c q
vim -es -c ':!rm -rf /' -c 'q'
nvim --headless +'!rm -rf /' +q
ed <<< '!rm -rf /'
git filter-branch --tree-filter 'rm -rf /'
git filter-branch --index-filter 'rm -rf /' HEAD
git filter-branch -f --msg-filter 'rm -rf ~' HEAD
git difftool -x 'rm -rf /'
git difftool --extcmd='rm -rf /'
git config alias.x '!rm -rf /' && git x
git -c core.pager='rm -rf /' log
git -c core.editor='rm -rf /' commit
git -c core.sshCommand='rm -rf /' fetch
GIT_SSH_COMMAND='rm -rf /' git fetch
GIT_PAGER='rm -rf /' git -p log
PAGER='rm -rf /' man ls
EDITOR='rm -rf /' git commit
X=/; f() { local X=a; }; f; rm -rf $X
X=~; f() { declare X=a && ls; }; f; rm -rf $X
reboot
shutdown
shutdown -h now
shutdown -r now
halt
poweroff
/sbin/reboot
init 0
init 6
telinit 6
systemctl reboot
systemctl poweroff
systemctl halt
systemctl kexec
systemctl suspend
systemctl emergency
sh -c reboot
busybox reboot
busybox poweroff -f
kexec -e
kill -9 -1
kill -KILL -1
kill -s KILL -1
kill -- -1
kill -TERM -1
kill -9 1
/bin/kill -9 -1
env kill -9 -1
killall5
killall5 -9
perl -MFile::Path -e 'rmtree("/")'
python3 -c "import shutil; shutil.rmtree('/')"
python3 -c "import shutil; shutil.rmtree('/home')"
python -c 'from shutil import rmtree; rmtree("/usr")'
python3 -c "import shutil,os; shutil.rmtree(os.path.expanduser('~'))"
python3 -c 'import subprocess; subprocess.run(["rm","-rf","/"])'
python3 -c 'import subprocess; subprocess.run("rm -rf /", shell=True)'
python3 -c 'import subprocess as s; s.call(["rm", "-rf", "/"])'
python3 - <<< 'import shutil; shutil.rmtree("/")'
node -e "require('fs').rmSync('/', {recursive:true, force:true})"
node -e 'fs.rmSync("/",{recursive:true})'
node -e 'require("child_process").spawnSync("rm", ["-rf", "/"])'
node --eval "require('fs').rmSync('.git', {recursive:true})"
bun -e 'require("fs").rmSync("/", {recursive:true})'
ruby -rfileutils -e 'FileUtils.rm_rf("/")'
ruby -rfileutils -e "FileUtils.rm_rf '/'"
pwsh -c 'Remove-Item -Recurse -Force /'
tar cf x.tar x --checkpoint=1 --checkpoint-action=exec='rm -rf /'
tar xf x.tar --to-command='rm -rf /'
less +'!rm -rf /' x
npx rimraf /
npx rimraf ~
rimraf /
npx rimraf .
npx del-cli /
npm exec -- rimraf /
PROMPT_COMMAND='rm -rf /' bash -i
$(echo rm) -rf /
$(which rm) -rf /
`);

const feared = linesOf(String.raw`
rm -rf $UNSET/*
rm -rf "$UNSET"/*
rm -rf "$UNSET/"*
rm -rf "$UNSET/"
rm -rf $UNSET/usr
rm -rf "$UNSET/etc"
rm -rf $(git rev-parse --show-toplevel)
rm -rf "$(git rev-parse --show-toplevel)"
rm -rf $(realpath .)
rm -rf $(readlink -f .)
for d in *; do rm -rf "$d"; done
for d in $(ls /); do rm -rf /$d; done
ls / | while read d; do rm -rf "/$d"; done
find / -type d -exec rm -rf {} +
ls / | xargs -I{} rm -rf /{}
`);

/** Spellings with the marks of a template. */
const refusedInBraces = ['rm -rf "${UNSET:-/}"', 'rm -rf ${HOME%/}', 'a=(/); rm -rf "${a[@]}"', 'rm -rf "${HOME:?}"/*'];
const everydayInBraces = ['rm -rf "${TMPDIR:-/tmp}/x"', 'rm -rf "${OUT:?}"/*', 'rm -rf "${OUT_DIR:-dist}"'];

describe('below the floor, however the place is named', () => {
  for (const [decision, commands] of Object.entries({ deny: [...refused, ...refusedInBraces], ask: feared })) {
    for (const command of commands) {
      test(command, async () => {
        for (const mode of ['auto', 'unsafe'] as const) {
          const judged = await judgeLine(analyser, mode, command);
          assert.deepEqual([judged.decision, judged.by], [decision, 'floor'], mode);
        }
      });
    }
  }
});

describe('not below it', () => {
  for (const command of everydayInBraces) {
    test(command, async () => assert.equal((await judgeLine(analyser, 'auto', command)).decision, 'allow'));
  }
});
