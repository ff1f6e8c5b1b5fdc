/** Package managers of systems and of languages other than JavaScript. */
import type { Program, Programs } from '../table.ts';
import { acts, asks, installs, list, publishes } from './kinds.ts';

const pipHost = ['pypi.org', 'files.pythonhosted.org'];
/** Runs a command line in an environment that it may set up first. */
const runs = installs(pipHost, { why: 'may install packages, and runs a command', stops: true, words: 'command' });

const pipTells: Program = {
  flags:
    '-l -e -q -v -f --local --editable --user --exclude-editable --include-editable --not-required --pre --files --verbose --quiet --all --no-input --disable-pip-version-check --no-color --ignore-requires-python --isolated --no-cache-dir',
  values: { text: '--format --exclude --path', read: '-r' },
  acts: { network: '-o -u --outdated --uptodate' },
  words: '...text',
};
const pip: Program = {
  flags:
    '-q -v --quiet --verbose --disable-pip-version-check --no-input --no-color --isolated --require-virtualenv --no-cache-dir',
  values: { unknown: '--python --proxy --log --cache-dir' },
  helps: '-V --version --help -h',
  commands: {
    ...list('list show freeze check inspect', pipTells),
    help: { words: '...text' },
    debug: pipTells,
    config: {
      commands: { list: { anyOption: true }, get: { anyOption: true, words: 'text' }, debug: {} },
      other: acts(['write', 'execute'], 'changes settings'),
    },
    cache: {
      commands: { dir: {}, info: {}, list: { words: 'text' } },
      other: acts(['destroy'], 'deletes from the cache'),
    },
    ...list('install download wheel', installs(pipHost)),
    uninstall: acts(['destroy'], 'removes packages'),
    ...list('index search', asks(pipHost)),
    hash: { values: { text: '-a --algorithm' }, words: '...read' },
  },
};

const crates = ['crates.io', 'index.crates.io', 'static.crates.io'];

export const packages: Programs = {
  pip,
  pip3: pip,
  pipx: {
    commands: { list: { anyOption: true }, environment: { anyOption: true }, run: runs },
    other: installs(pipHost),
  },
  uv: {
    flags: '-q -v --quiet --verbose --offline --no-color --no-progress',
    commands: {
      version: { anyOption: true, acts: { write: '--bump' } },
      pip: { commands: { ...list('list show freeze check tree', pipTells) }, other: installs(pipHost) },
      python: { commands: { dir: {} }, other: installs(pipHost) },
      tree: acts(['network', 'write'], 'may write the lock file'),
      cache: { commands: { dir: {} }, other: acts(['destroy'], 'deletes from the cache') },
      publish: publishes(pipHost),
      run: runs,
      tool: { commands: { run: runs }, other: installs(pipHost) },
    },
    other: installs(pipHost),
  },
  uvx: runs,
  poetry: {
    flags: '-q -v -n --quiet --verbose --no-interaction --no-ansi',
    commands: {
      ...list('show check about env', acts(['cannot-tell'], 'may run plugins')),
      publish: publishes(pipHost),
      run: runs,
    },
    other: installs(pipHost),
  },
  pipenv: { commands: { run: runs }, other: installs(pipHost) },
  pdm: installs(pipHost),
  hatch: installs(pipHost),
  conda: {
    commands: {
      ...list('list info', { anyOption: true, words: '...text' }),
      env: { commands: { list: { flags: '--json' } }, other: installs(['repo.anaconda.com']) },
    },
    other: installs(['repo.anaconda.com']),
  },
  mamba: {
    commands: { ...list('list info', { anyOption: true, words: '...text' }) },
    other: installs(['conda.anaconda.org']),
  },
  pyenv: {
    commands: { ...list('versions version root which whence', { anyOption: true, words: '...text' }) },
    other: installs(['www.python.org']),
  },
  twine: {
    commands: { check: acts(['read'], 'checks', { words: '...read' }), upload: publishes(['upload.pypi.org']) },
    other: publishes(['upload.pypi.org']),
  },
  flit: publishes(pipHost),
  gem: {
    commands: {
      ...list('list environment env which contents specification dependency', {
        flags: '-a -l -d -q --local --all --versions --details',
        acts: { network: '-r -b --remote --both' },
        words: '...text',
      }),
      ...list('push yank owner signin', publishes(['rubygems.org'])),
      ...list('search info outdated', asks(['rubygems.org'])),
    },
    other: installs(['rubygems.org']),
  },
  bundle: {
    commands: {
      ...list('list show info version', acts(['execute'], 'runs the Gemfile')),
      exec: { effects: ['execute'], stops: true, words: 'command' },
      config: acts(['write'], 'changes settings'),
    },
    other: installs(['rubygems.org']),
    alone: installs(['rubygems.org']),
  },
  rbenv: {
    commands: { ...list('versions version root which whence', { anyOption: true, words: '...text' }) },
    other: installs([]),
  },
  composer: {
    commands: { ...list('show licenses', acts(['execute'], 'may run plugins')) },
    other: installs(['repo.packagist.org']),
  },
  cpan: installs(['www.cpan.org']),
  cpanm: installs(['www.cpan.org']),
  luarocks: {
    commands: {
      ...list('list show which path', {
        anyOption: true,
        acts: { network: '--outdated --server --only-server' },
        words: '...text',
      }),
    },
    other: installs(['luarocks.org']),
  },
  brew: {
    commands: {
      ...list('list ls leaves config', { anyOption: true, words: '...text' }),
      info: acts(['network'], 'may ask for news'),
      ...list('search outdated doctor deps uses desc', acts(['network'], 'may ask for news')),
    },
    other: installs(['formulae.brew.sh']),
    helps: '--version --help --prefix --cellar --repository',
  },
  port: { commands: { ...list('installed contents provides', { words: '...text' }) }, other: installs([]) },
  apt: {
    flags: '-a -q -y',
    anyOption: true,
    commands: {
      ...list('list show policy depends rdepends', {
        anyOption: true,
        words: '...text',
        acts: { 'cannot-tell': '-o -c --option --config-file' },
      }),
      search: { words: '...text', flags: '-n --names-only' },
    },
    other: installs(['deb.debian.org', 'archive.ubuntu.com']),
    acts: { 'cannot-tell': '-o -c --option --config-file' },
  },
  'apt-get': installs(['deb.debian.org', 'archive.ubuntu.com'], { helps: '-v --version -h --help' }),
  aptitude: installs(['deb.debian.org']),
  'apt-cache': {
    flags: '-a -f -g -i -n -q --all-versions --full --generate --installed --names-only --no-all-versions --recurse',
    acts: { 'cannot-tell': '-o -c --option --config-file' },
    commands: {
      ...list('show search policy depends rdepends pkgnames showpkg stats madison dump unmet', {
        flags: '-a -f -i -n --all-versions --full --installed --names-only --recurse --no-recommends --no-suggests',
        words: '...text',
        acts: { 'cannot-tell': '-o -c --option --config-file' },
      }),
    },
  },
  'apt-mark': {
    commands: { ...list('showauto showmanual showhold', { words: '...text' }) },
    other: acts(['write'], 'marks packages'),
  },
  'apt-config': { commands: { dump: { flags: '--empty --no-empty', words: '...text' } } },
  'apt-file': {
    commands: {
      ...list('search find list show', {
        anyOption: true,
        words: '...text',
        acts: { 'cannot-tell': '-o -c --option --config-file' },
      }),
    },
    other: acts(['network', 'write'], 'fetches lists'),
  },
  'apt-key': acts(['write', 'network'], 'changes which packages are trusted'),
  dpkg: {
    flags:
      '-l -L -s -S -p -I -c -V -C --list --listfiles --status --search --print-avail --info --contents --verify --audit --get-selections --print-architecture --print-foreign-architectures --no-pager --version',
    acts: {
      execute: '-i -r -P -a --install --unpack --configure --remove --purge --pending',
      write: '--set-selections --add-architecture --clear-avail --update-avail -x -X -e --extract',
    },
    values: {
      unknown: '--root --admindir --instdir --pre-invoke --post-invoke --status-logger --force --no-act --path-exclude',
    },
    attached: { text: '-D --compare-versions' },
    words: '...text',
  },
  'dpkg-query': {
    flags:
      '-l -L -s -S -W -p -c --list --listfiles --status --search --show --print-avail --control-list --control-show --control-path --no-pager',
    values: { text: '-f --showformat', unknown: '--admindir --root' },
    words: '...text',
  },
  'dpkg-deb': {
    flags: '-I -c -f -W --info --contents --field --show',
    acts: { write: '-b -x -X -e -R -v --build --extract --vextract --raw-extract --control' },
    words: '...read',
  },
  rpm: {
    logic: 'rpm',
    flags:
      '-q -a -i -l -f -p -c -d -s -R -v -V -# --query --all --info --list --file --package --configfiles --docfiles --state --requires --provides --changelog --scripts --conflicts --obsoletes --whatprovides --whatrequires --last --verify --version --nosignature --nodigest --triggers',
    values: { text: '--qf --queryformat' },
  },
  dnf: {
    flags: '-q -C -y --quiet --cacheonly',
    commands: {
      ...list('list info search repolist provides repoquery history', acts(['network', 'write'], 'may fetch lists')),
    },
    other: installs([]),
  },
  yum: {
    flags: '-q -C -y',
    commands: { ...list('list info search repolist provides', acts(['network', 'write'], 'may fetch lists')) },
    other: installs([]),
  },
  zypper: installs([]),
  pacman: {
    flags: '-Q -Qi -Ql -Qs -Qe -Qm -Qo -Qq -Qk -Qd -Qt -Qdt -Qdtq -Qii -Qu',
    style: 'single',
    acts: { execute: '-S -Sy -Syu -Syyu -Su -Ss -Si -Sc -U -R -Rs -Rns -Rn -D' },
    words: '...text',
  },
  yay: installs([]),
  apk: {
    commands: {
      ...list('info list version policy', {
        flags: '-a -d -e -L -I -v -q -vv --all --installed --description --exists --contents --quiet',
        words: '...text',
      }),
    },
    other: installs(['dl-cdn.alpinelinux.org']),
  },
  snap: {
    commands: { list: { flags: '--all', words: '...text' }, version: {} },
    other: installs(['api.snapcraft.io']),
  },
  flatpak: {
    commands: { list: { anyOption: true }, info: { anyOption: true, words: '...text' } },
    other: installs(['dl.flathub.org']),
  },
  nix: acts(['network', 'execute', 'write', 'cannot-tell'], 'builds and installs'),
  'nix-env': installs(['cache.nixos.org']),
  'nix-shell': acts(['network', 'execute', 'write', 'cannot-tell'], 'builds and runs a shell'),
  asdf: { commands: { ...list('current list where which', acts(['execute'], 'runs plugins')) }, other: installs([]) },
  mise: acts(['network', 'execute', 'write', 'cannot-tell'], 'manages tools'),
  rustup: {
    commands: {
      show: { anyOption: true, words: '...text' },
      which: { words: '...text' },
      toolchain: { commands: { list: { anyOption: true } }, other: installs(['static.rust-lang.org']) },
      target: { commands: { list: { anyOption: true } }, other: installs(['static.rust-lang.org']) },
      component: { commands: { list: { anyOption: true } }, other: installs(['static.rust-lang.org']) },
    },
    other: installs(['static.rust-lang.org']),
  },
  sdk: installs([]),
  'cargo-publish': publishes(crates),
};
