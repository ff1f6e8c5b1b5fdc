/** Numbers, waiting, keys and certificates. */
import type { Programs } from '../table.ts';
import { list } from './kinds.ts';

export const numbers: Programs = {
  seq: { style: 'none', words: '...text' },
  yes: { style: 'none', words: '...text' },
  expr: { style: 'none', words: '...text' },
  bc: {
    flags: '-h -i -l -q -s -w -v -c --mathlib --quiet --standard --warn',
    values: { text: '-e --expression', read: '-f --file' },
    words: '...read',
  },
  dc: { logic: 'dc', values: { text: '-e --expression', unknown: '-f --file' } },
  factor: { flags: '-h --exponents', words: '...text' },
  numfmt: {
    flags: '-z --debug --grouping --zero-terminated',
    values: {
      text: '-d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit --unit-separator',
    },
    attached: { text: '--header' },
    style: 'getopt',
    words: '...text',
  },
  sleep: { words: '...text' },
  usleep: { words: 'text' },
  // One of this name hashes what it is given, another one sets the password of a user.
  mkpasswd: { effects: ['cannot-tell'], anyOption: true, words: '...text' },
  uuidgen: {
    flags: '-r -t -m -s -x --random --time --md5 --sha1 --hex',
    values: { text: '-n -N -C --namespace --name' },
  },
  units: {
    flags:
      '-1 -c -C -e -m -n -p -q -r -s -S -t -v --check --digits --exponential --minus --oldstar --newstar --nolists --compact --product --quiet --silent --round --strict --one-line --terse --verbose',
    values: { text: '-d -o --digits --output-format', read: '-f --file', write: '-L --log' },
    words: '...text',
  },
  cowsay: { words: '...text' },
  figlet: { words: '...text' },
  openssl: {
    logic: 'openssl',
    helps: 'version help',
    commands: {
      version: { style: 'single', flags: '-a -b -c -d -e -f -m -o -p -r -v' },
      list: {
        style: 'single',
        flags:
          '-1 -v -verbose -commands -standard-commands -digest-commands -digest-algorithms -cipher-commands -cipher-algorithms -public-key-algorithms -public-key-methods ' +
          '-all-algorithms -kdf-algorithms -mac-algorithms -random-instances -random-generators -encoders -decoders -key-managers -key-exchange-algorithms -kem-algorithms ' +
          '-signature-algorithms -asymcipher-algorithms -store-loaders -providers -engines -disabled -objects -tls-groups -tls-signature-algorithms',
        values: { text: '-select -propquery -options' },
      },
      ciphers: { style: 'single', flags: '-v -V -s -tls1 -tls1_1 -tls1_2 -tls1_3 -stdname', words: 'text' },
      x509: {
        flags:
          '-text -noout -subject -issuer -dates -startdate -enddate -serial -fingerprint -pubkey -modulus -hash -issuer_hash -subject_hash -email -ocsp_uri -purpose -sha1 -sha256 -sha512 -md5 -alias -checkend',
        values: {
          remote: '-in',
          read: '-CAfile -CApath',
          text: '-inform -outform -nameopt -certopt -checkend -checkhost -checkemail -checkip -ext',
          write: '-out',
        },
      },
      req: {
        flags: '-text -noout -subject -pubkey -verify -modulus -nameopt',
        values: { remote: '-in', text: '-inform -outform -nameopt', write: '-out -keyout' },
      },
      rsa: {
        flags: '-text -noout -check -modulus -pubin -pubout',
        values: { remote: '-in', text: '-inform -outform', write: '-out', unknown: '-passin -passout' },
      },
      pkey: {
        flags: '-text -text_pub -noout -check -pubcheck -pubin -pubout',
        values: { remote: '-in', text: '-inform -outform', write: '-out', unknown: '-passin -passout' },
      },
      ec: {
        flags: '-text -noout -check -pubin -pubout -param_out',
        values: { remote: '-in', text: '-inform -outform', write: '-out' },
      },
      crl: {
        flags: '-text -noout -hash -issuer -lastupdate -nextupdate -fingerprint',
        values: { remote: '-in', text: '-inform', write: '-out' },
      },
      verify: {
        flags: '-verbose -show_chain -partial_chain -crl_check',
        values: { read: '-CAfile -CApath -untrusted -trusted', text: '-purpose' },
        words: '...read',
      },
      dgst: {
        flags: '-md5 -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -hex -c -r',
        values: { write: '-out', unknown: '-sign -verify -prverify -signature -engine', text: '-hmac' },
        words: '...read',
      },
      ...list('md5 sha1 sha512', { flags: '-hex -r -c', values: { write: '-out' }, words: '...read' }),
      prime: { flags: '-hex', words: '...text' },
      errstr: { words: '...text' },
      sha256: { flags: '-hex -r -c', values: { write: '-out' }, words: '...read' },
      asn1parse: {
        flags: '-i -dump -noout',
        values: { remote: '-in', text: '-inform -offset -length -strparse', write: '-out' },
      },
      base64: { flags: '-d -e -A -a', values: { remote: '-in', write: '-out' } },
      rand: { flags: '-hex -base64', values: { write: '-out -writerand' }, words: 'text' },
      s_client: {
        effects: ['network'],
        why: 'talks to other machines',
        anyOption: true,
        values: { host: '-connect -host -proxy', text: '-servername -port' },
        words: '...host',
      },
      ocsp: {
        effects: ['network'],
        why: 'talks to other machines',
        anyOption: true,
        values: { url: '-url' },
        words: '...text',
      },
    },
  },
  gpg: {
    effects: [],
    flags:
      '-k -K --list-keys --list-secret-keys --list-public-keys --fingerprint --with-colons --with-fingerprint --batch --no-tty -q -v --list-packets --list-sigs --show-keys',
    values: { text: '--keyid-format' },
    acts: {},
    logic: 'gpg',
  },
  'update-alternatives': {
    flags: '--get-selections',
    values: { text: '--list --display --query' },
    acts: { write: '--install --set --auto --config --all --remove --remove-all' },
    words: '...text',
  },
  'fc-list': { anyOption: true, words: '...text' },
  'fc-match': { anyOption: true, words: '...text' },
};
