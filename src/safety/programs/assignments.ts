/** Variables that a command gets: most programs do as these say, and some of them run what stands in one. */
import type { Word } from './invocation.ts';
import type { Report } from './report.ts';

/** Variables that change how things look, and nothing else. */
const harmless = new Set(
  (
    'LANG LANGUAGE TZ NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE TERM COLORTERM COLUMNS LINES CI DEBUG NODE_ENV BLOCKSIZE BLOCK_SIZE ' +
    'LS_COLORS GREP_COLORS GREP_COLOR RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR LESSCHARSET PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED ' +
    'PYTHONIOENCODING PYTHONUTF8 GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT GIT_PAGER_IN_USE TIME_STYLE QUOTING_STYLE OLDPWD DO_NOT_TRACK ' +
    'NEXT_TELEMETRY_DISABLED HUSKY GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL ' +
    'GIT_COMMITTER_DATE GIT_CEILING_DIRECTORIES GIT_LITERAL_PATHSPECS PIP_DISABLE_PIP_VERSION_CHECK DEBIAN_FRONTEND SYSTEMD_COLORS'
  ).split(' '),
);
const pagers = new Set([
  'PAGER',
  'GIT_PAGER',
  'MANPAGER',
  'SYSTEMD_PAGER',
  'BAT_PAGER',
  'GH_PAGER',
  'AWS_PAGER',
  'DELTA_PAGER',
]);

/** Names that some program or the shell itself takes as settings, where they are only set and may be exported already. */
const telling =
  /^(PATH|HOME|SHELL|IFS|ENV|BASH.*|SHELLOPTS|PS4|PS0|PROMPT_COMMAND|CDPATH|GLOBIGNORE|HIST.*|.*PAGER.*|.*EDITOR|VISUAL|BROWSER|LESS.*|MAN.*|GIT_.*|SSH_.*|LD_.*|DYLD_.*|MALLOC_.*|GCONV_PATH|GLIBC_TUNABLES|LOCPATH|NLSPATH|XDG_.*|TMPDIR|NODE_.*|NPM_.*|PYTHON.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|JAVA_.*|_JAVA.*|JDK_.*|MAVEN_.*|GRADLE_.*|GO[A-Z]+|CARGO.*|RUST.*|CC|CXX|LD|AR|MAKE.*|CFLAGS|CXXFLAGS|LDFLAGS|DOCKER_.*|KUBE.*|AWS_.*|TAR_OPTIONS|TAPE|GZIP|BZIP2?|PIGZ|ZIPOPT|ZIPINFO.*|UNZIP|RIPGREP_CONFIG_PATH|ACKRC|ACK_.*|PKG_CONFIG_.*|SSLKEYLOGFILE|GCOV_.*|LLVM_.*|[A-Z]+SAN_OPTIONS|COLORDIFF.*|SHELLCHECK_.*|CLASSPATH|GTK_.*|GIO_.*|QT_.*|DBUS_.*|HOSTALIASES|RES_OPTIONS|LOCALDOMAIN|RESOLV_.*|DEBUGINFOD_.*|FPATH|EXECIGNORE|TE?MP|NETRC|PG[A-Z]+|MYSQL_.*|OPENSSL_.*|POSIXLY_CORRECT|AWK.*|CURL_.*|WGETRC|JQ_.*|ZDOTDIR|FZF_.*|GREP_OPTIONS|ENVIRON|TERMINFO.*|TERMCAP|BAT_.*|GROFF_.*|RSYNC_.*|XZ_.*|ZSTD_.*|BC_.*|DC_.*|TREE_.*|SYSTEMD_.*|INPUTRC|LUA_.*|PHPRC|PHP_.*|TCLLIBPATH|ERL_.*|DOTNET_.*|ELECTRON_.*|PSQLRC|COMPOSE_.*|BUILDKIT_.*|HELM_.*|TF_.*|VAGRANT_.*|ANSIBLE_.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|COREPACK_.*|VOLTA_.*|PIP_.*|UV_.*|POETRY_.*|CONDA_.*|GH_.*|GLAB_.*|HGRCPATH|HGPLAIN|SVN_.*|GPG_.*|GNUPGHOME|TMUX.*|SCREENRC|NIX_.*|HOMEBREW_.*|APT_.*|DPKG_.*|RPM_.*|WWW_HOME|W3M.*|LYNX_.*|UNZIPOPT|FD_.*|EXA_.*|EZA_.*|DELTA_.*|DIFF_OPTIONS|EMACS.*|N?VIM.*|EXINIT|TEXMF.*|TEXINPUTS|.*_PROXY|.*_proxy|npm_config_.*)$/;

/** Variables whose value the shell works out as a number, in which a subscript may run something. */
const numbers = /^(?:S?RANDOM|SECONDS|LINENO|OPTIND|HISTCMD|BASHPID|EPOCHSECONDS|EPOCHREALTIME|E?UID|PPID)$/;

/** Programs that run no other and take nothing from variables but what `telling` names. */
const simple = new Set(
  (
    'ls cat head tail wc sort uniq cut tr grep egrep fgrep rg sed test [ echo printf printenv pwd date stat du df diff cmp basename dirname ' +
    'realpath readlink md5sum sha1sum sha256sum jq git true false :'
  ).split(' '),
);

/** Whether a variable of this name and value makes this program do nothing else than without. */
export function isHarmlessFor(program: Word | undefined, name: string, value: string | null): boolean {
  const isOwn = /^[A-Z_][A-Z\d_]*$/.test(name) && !telling.test(name) && !numbers.test(name);
  return isHarmlessVariable(name, value) || (isOwn && program?.isPattern !== true && simple.has(program?.text ?? ''));
}

/** Whether a variable of this name, only set in the shell, may still tell it or a program what to do. */
export function tellsPrograms(name: string): boolean {
  return telling.test(name) || numbers.test(name);
}

/** Whether a variable of this name and value may be handed to a program without making it do anything. */
export function isHarmlessVariable(name: string, value: string | null): boolean {
  if (pagers.has(name)) return value === 'cat' || value === '';
  if (numbers.test(name)) return value !== null && /^\d*$/.test(value);
  if (harmless.has(name) || /^LC_[A-Z]+$/.test(name)) return true;
  return /^[a-z][a-z\d_]*$/.test(name) && !telling.test(name);
}

export function checkAssignments(report: Report): void {
  const { assignments, words } = report.invocation;
  for (const { name, value } of assignments) {
    const isFine = words.length === 0 && (!tellsPrograms(name) || isHarmlessVariable(name, value.text));
    const isSplitting = name === 'IFS' && words.length > 0 && !/^(eval|source|\.)$/.test(words[0]?.text ?? '.');
    if (isFine || isSplitting || isHarmlessFor(words[0], name, value.text)) continue;
    report.doubt(`what ${name}=${value.source} changes can’t be told`);
  }
}

/** Variables that give Git settings: one that tells what a push overwrites. */
export function setsPush(name: string, value: string): boolean {
  return /^GIT_CONFIG_(?:KEY|PARAMETERS)/.test(name) && /\bremote\..*\.(?:mirror|push)\b/is.test(value);
}
