/** Programs that talk to other machines. */
import type { Effect } from '../../../core/index.ts';
import type { Program, Programs } from '../table.ts';

const talks = (more: Program = {}, effects: readonly Effect[] = ['network']): Program => ({
  effects,
  why: 'talks to other machines',
  anyOption: true,
  words: '...host',
  ...more,
});
const list = (commands: string, program: Program): Programs =>
  Object.fromEntries(commands.split(' ').map((command) => [command, program]));

const ssh: Program = {
  effects: ['network', 'execute'],
  why: 'runs commands on another machine',
  flags: '-# -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -v -V -X -x -Y -y',
  values: { text: '-B -b -c -D -e -I -i -J -L -l -m -O -p -Q -R -S -W -w', read: '-F', write: '-E', unknown: '-o -P' },
  stops: true,
  words: 'host shell',
  helps: '-V',
};

const copies: Program = {
  effects: ['network'],
  why: 'copies to or from other machines',
  flags: '-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v',
  values: { text: '-c -i -l -P -J -X', read: '-F', unknown: '-o', code: '-D -S' },
  words: '...remote upload',
};

const ghReads = 'list view status diff checks ls search get token-status';
const gh = (writes: string): Program => ({
  anyOption: true,
  commands: {
    ...list(ghReads, talks({ words: '...text', acts: { execute: '-w --web' } })),
    ...list(writes, talks({ words: '...text' }, ['network', 'write', 'execute'])),
  },
  other: talks({ words: '...text' }, ['network', 'cannot-tell']),
});

export const network: Programs = {
  curl: {
    logic: 'curl',
    helps: '--version --help -V -h',
    effects: ['network'],
    why: 'talks to other machines',
    flags:
      '-# -0 -1 -2 -3 -4 -6 -a -B -f -g -G -i -I -j -k -l -L -M -n -N -q -R -s -S -v -Z -: --append --http1.0 --http1.1 --http2 --http3 --ipv4 --ipv6 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --compressed --fail --fail-with-body --fail-early --get --globoff --head --include --insecure --junk-session-cookies ' +
      '--location --location-trusted --manual --netrc --netrc-optional --no-buffer --no-progress-meter --no-keepalive --parallel --path-as-is --progress-bar --remote-time --silent --show-error --ssl --ssl-reqd --tcp-nodelay --tr-encoding --verbose --raw --anyauth --basic --digest --negotiate --ntlm --next --disable --retry-all-errors --retry-connrefused --show-headers --post301 --post302 --post303 --no-clobber --create-dirs --xattr --styled-output',
    values: {
      text: '-A -b -C -d -e -E -F -H -m -P -Q -r -t -u -U -w -X -y -Y -z --user-agent --cookie --continue-at --data --data-ascii --data-binary --data-raw --data-urlencode --json --referer --cert --key --form --form-string --header --max-time --quote --range --user --proxy-user --write-out --request --speed-time --speed-limit --time-cond --connect-timeout --max-redirs --max-filesize --retry --retry-delay --retry-max-time --limit-rate --interface --local-port --resolve --connect-to --cacert --capath --ciphers --cert-type --key-type --pass --oauth2-bearer --aws-sigv4 --url-query --parallel-max --keepalive-time --dns-servers --proto --proto-default --proto-redir --expect100-timeout --noproxy --tls-max --tlsv --request-target --rate --variable --expand-url --expand-data --expand-header --unix-socket --abstract-unix-socket',
      write:
        '-o -c -D --output --cookie-jar --dump-header --trace --trace-ascii --stderr --etag-save --hsts --alt-svc --libcurl --output-dir',
      read: '-T --upload-file --netrc-file --etag-compare --crlfile',
      code: '-K --config --engine',
      host: '-x --proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --doh-url',
      url: '--url',
    },
    acts: { write: '-O -J --remote-name --remote-name-all --remote-header-name' },
    words: '...url',
  },
  wget: {
    effects: ['network'],
    why: 'talks to other machines',
    logic: 'wget',
    anyOption: true,
    flags:
      '-q -v -c -N -S -r -np -k -p -m -nv -nc -b -x -E -K -4 -6 --spider --no-check-certificate --quiet --continue --mirror --recursive --no-parent --page-requisites --convert-links',
    values: {
      text: '-t -T -w -Q -l -A -R -D -I -X -U --tries --timeout --wait --header --user-agent --user --password --post-data --method --body-data --level --accept --reject --domains --referer --limit-rate --progress',
      write:
        '-O -o -a -P --output-document --output-file --append-output --directory-prefix --save-cookies --warc-file',
      read: '-i --input-file --post-file --body-file --load-cookies',
      code: '-e --execute --config --use-askpass',
    },
    words: '...url',
  },
  http: talks({ words: '...text' }, ['network', 'cannot-tell']),
  https: talks({ words: '...text' }, ['network', 'cannot-tell']),
  xh: talks({ words: '...text' }, ['network', 'cannot-tell']),
  aria2c: talks({ words: '...url' }, ['network', 'write', 'cannot-tell']),
  'yt-dlp': talks({ words: '...url' }, ['network', 'write', 'cannot-tell']),
  ping: talks({
    flags: '-# -4 -6 -a -A -b -B -D -f -n -q -R -r -v',
    values: { text: '-c -i -I -l -m -M -p -Q -s -S -t -T -w -W' },
  }),
  ping6: talks({ values: { text: '-c -i -I -s -w -W' } }),
  traceroute: talks({ words: 'host text' }),
  tracepath: talks({ words: 'host text' }),
  mtr: talks({ flags: '-r -n -w -b', values: { text: '-c -i' } }),
  dig: talks({ style: 'none', logic: 'dig' }),
  host: talks({ values: { text: '-c -N -R -t -W -m' } }),
  nslookup: talks({ style: 'none', words: '...text' }),
  drill: talks({ style: 'none', words: '...text' }),
  whois: talks({ words: '...text', values: { host: '-h --host', text: '-p' } }),
  nc: talks({
    words: 'host text',
    flags: '-# -4 -6 -d -k -l -n -r -u -U -v -z -N -t -C',
    values: { text: '-i -p -q -s -w -x -X -m -I -O', code: '-e -c' },
  }),
  ncat: talks({
    words: 'host text',
    flags: '-4 -6 -k -l -n -u -v -z',
    values: { text: '-i -p -q -s -w', code: '-e -c --exec --sh-exec --lua-exec' },
  }),
  netcat: talks({ words: 'host text', values: { code: '-e -c', text: '-p -w -s -i -q' } }),
  socat: talks({ words: '...text' }, ['network', 'execute', 'cannot-tell']),
  telnet: talks({ words: 'host text' }),
  ftp: talks({ words: '...host' }, ['network', 'write', 'cannot-tell']),
  sftp: talks({ words: '...remote' }, ['network', 'write', 'cannot-tell']),
  lftp: talks({ words: '...text' }, ['network', 'write', 'execute', 'cannot-tell']),
  nmap: talks({ values: { write: '-oN -oX -oG -oA', code: '--script' }, words: '...host' }, ['network', 'cannot-tell']),
  tcpdump: talks({ words: '...text', values: { write: '-w', code: '-z', text: '-i -c -s -r' } }, [
    'network',
    'execute',
  ]),
  ssh,
  mosh: { ...ssh, anyOption: true },
  scp: copies,
  rsync: {
    looks: {
      '-n --dry-run': {
        flags:
          '-n -a -v -r -i -c -u -z -h -P -l -p -t -g -o -D -x --dry-run --archive --verbose --recursive --itemize-changes --checksum --update ' +
          '--human-readable --stats --progress --delete --existing --ignore-existing --size-only',
        values: { text: '--exclude --include', read: '--exclude-from --include-from' },
        // What is given twice may be taken back, and these name other programs and files.
        acts: {
          write: '--no-dry-run --no-n --log-file --write-batch --only-write-batch',
          execute: '-e --rsh --rsync-path',
        },
        words: '...remote',
      },
    },
    logic: 'rsync',
    flags:
      '-# -v -q -c -a -r -R -b -u -l -L -k -K -H -p -E -A -X -o -g -D -t -U -O -J -S -n -W -x -y -C -F -0 -s -z -P -h -i -8 -4 -6 -d --verbose --quiet --checksum --archive --recursive --relative --backup --update --inplace --append --append-verify --dirs --links --copy-links --copy-unsafe-links --safe-links --munge-links --copy-dirlinks --keep-dirlinks --hard-links --perms --executability --acls --xattrs --owner --group --devices --specials --times --omit-dir-times --omit-link-times --super --fake-super --sparse --dry-run --whole-file --one-file-system --existing --ignore-existing --force --numeric-ids --compress --partial --progress --human-readable --itemize-changes --list-only --stats --prune-empty-dirs --cvs-exclude --from0 --no-implied-dirs --ignore-errors --protect-args --old-args --mkpath --no-perms --no-owner --no-group --no-times --delay-updates --fuzzy --size-only --ignore-times --trust-sender',
    values: {
      text: '-B -f -@ --block-size --max-delete --max-size --min-size --modify-window --suffix --timeout --contimeout --filter --exclude --include --port --sockopts --out-format --log-file-format --bwlimit --chmod --chown --usermap --groupmap --skip-compress --compress-level --compress-choice --checksum-choice --checksum-seed --address --info --debug',
      read: '--exclude-from --include-from --files-from --password-file',
      write:
        '-T --temp-dir --partial-dir --backup-dir --log-file --compare-dest --copy-dest --link-dest --write-batch --only-write-batch',
      code: '-e --rsh --rsync-path -M --remote-option --read-batch --early-input',
    },
    acts: {
      destroy:
        '--delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --del --remove-source-files --delete-missing-args',
    },
    words: '...remote upload',
  },
  rclone: talks({ words: '...text' }, ['network', 'write', 'cannot-tell']),
  'ssh-keygen': {
    flags: '-l -v -q -B',
    acts: { 'cannot-tell': '-t -b -N -C -R -A -p -y -e -i -s -D -F -H' },
    values: { read: '-f', text: '-E' },
    logic: 'keygen',
  },
  'ssh-keyscan': talks({ values: { text: '-t -p -T', read: '-f' } }),
  'ssh-copy-id': talks({}, ['network', 'write', 'execute']),
  'ssh-add': { flags: '', acts: { read: '-l -L', execute: '-d -D -K -A -x -X -s -e -t' }, logic: 'keyadd' },
  'ssh-agent': { effects: ['execute'], anyOption: true, stops: true, words: 'command' },
  ip: {
    flags:
      '-s -d -h -4 -6 -0 -o -r -t -c -j -p -br -brief -json -pretty -color -details -stats -statistics -oneline -human -iec -all -a -N',
    values: { unknown: '-n -netns -b -batch', text: '-f -family' },
    style: 'single',
    stops: true,
    logic: 'ip',
    helps: '-V -Version help',
  },
  ifconfig: { flags: '-a -s -l -v', words: 'text', logic: 'ifconfig' },
  route: { flags: '-n -e -4 -6', words: '...made' },
  netstat: { anyOption: true, words: '...text' },
  ss: {
    flags:
      '-# -h -V -n -r -a -l -o -e -m -p -i -s -b -4 -6 -0 -t -u -d -w -x -E -T -S -H -O -Q -Z -z --numeric --all --listening --options --extended --memory --processes --info --summary --tcp --udp --raw --unix --no-header --ipv4 --ipv6',
    values: { text: '-f -A --family --query --socket', read: '-F --filter', write: '-D --diag', unknown: '-N --net' },
    acts: { execute: '-K --kill' },
    words: '...text',
  },
  arp: { flags: '-a -n -e -v', acts: { write: '-s -d -f' }, words: 'host' },
  iptables: { effects: ['execute'], why: 'changes the firewall', anyOption: true, words: '...text' },
  nft: { effects: ['execute'], why: 'changes the firewall', anyOption: true, words: '...text' },
  ufw: { effects: ['execute'], why: 'changes the firewall', anyOption: true, words: '...text' },
  nmcli: { effects: ['execute'], why: 'manages the network', anyOption: true, words: '...text' },
  iwconfig: { words: 'text' },
  gh: {
    anyOption: true,
    hosts: ['api.github.com'],
    commands: {
      pr: gh('create merge close reopen edit comment review ready checkout lock unlock update-branch revert'),
      issue: gh('create close reopen edit comment delete transfer lock unlock pin unpin develop'),
      repo: gh('create delete fork clone edit rename archive unarchive sync set-default deploy-key'),
      release: gh('create delete edit upload download delete-asset'),
      run: gh('rerun cancel delete download watch'),
      workflow: gh('run enable disable'),
      gist: gh('create delete edit clone rename'),
      label: gh('create delete edit clone'),
      secret: gh('set delete remove'),
      variable: gh('set delete'),
      cache: gh('delete'),
      search: { anyOption: true, other: talks({ words: '...text' }), commands: {} },
      auth: {
        anyOption: true,
        commands: { status: talks({ words: '...text' }) },
        other: talks({ words: '...text' }, ['network', 'write', 'cannot-tell']),
      },
      status: talks({ words: '...text' }),
      browse: talks({ words: '...text' }, ['network', 'execute']),
      api: { logic: 'ghApi', effects: ['network'], anyOption: true, words: '...text' },
      alias: { commands: { list: {} } },
      config: {
        commands: { list: { anyOption: true }, get: { words: 'text' } },
        other: { effects: ['write'], words: '...text' },
      },
      version: {},
    },
  },
  glab: talks({ words: '...text' }, ['network', 'write', 'cannot-tell']),
  aws: talks({ words: '...text', values: { url: '--endpoint-url', text: '--profile --region --output --query' } }, [
    'network',
    'cannot-tell',
  ]),
  gcloud: talks({ words: '...text' }, ['network', 'cannot-tell']),
  az: talks({ words: '...text' }, ['network', 'cannot-tell']),
  doctl: talks({ words: '...text' }, ['network', 'cannot-tell']),
  heroku: talks({ words: '...text' }, ['network', 'cannot-tell']),
  vercel: talks({ words: '...text' }, ['network', 'execute', 'write', 'cannot-tell']),
  netlify: talks({ words: '...text' }, ['network', 'execute', 'write', 'cannot-tell']),
  flyctl: talks({ words: '...text' }, ['network', 'execute', 'write', 'cannot-tell']),
  wrangler: talks({ words: '...text' }, ['network', 'execute', 'write', 'cannot-tell']),
  psql: talks({ words: '...text', values: { host: '-h --host', text: '-p -U -d', write: '-o -L', code: '-c -f' } }, [
    'network',
    'execute',
    'cannot-tell',
  ]),
  mysql: talks({ words: '...text', values: { host: '-h --host', code: '-e' } }, ['network', 'execute', 'cannot-tell']),
  mongosh: talks({ words: '...text' }, ['network', 'execute', 'cannot-tell']),
  'redis-cli': talks({ words: '...text', values: { host: '-h' } }, ['network', 'cannot-tell']),
  sqlite3: {
    effects: ['execute', 'cannot-tell'],
    why: 'runs statements that may write',
    anyOption: true,
    words: 'write ...text',
    helps: '-version --version -help --help',
  },
  sendmail: talks({ words: '...text' }),
  mail: talks({ words: '...text' }, ['network', 'cannot-tell']),
};
