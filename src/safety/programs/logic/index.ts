/** Logic for programs whose words data alone can't take apart, by the name that the table gives it. */
import { ar, pack, pager, tar, unzip } from './archives.ts';
import { awk } from './awk.ts';
import {
  alias,
  compgen,
  condition,
  history,
  mapfile,
  shellOptions,
  shellSettings,
  subscripts,
  trap,
} from './builtins.ts';
import type { Logic } from './call.ts';
import { inContainer, kubeExec } from './containers.ts';
import { dd, fd, jq, man, toOutput, xxd, yq } from './files.ts';
import { find } from './find.ts';
import { git, gitCheckout, gitConfig, gitForeach, gitPush } from './git.ts';
import { binary, cargoRead, dc, goList, gpg, interpreter, node, openssl, php, python } from './languages.ts';
import { curl, dig, ghApi, ifconfig, ip, keyadd, keygen, rsync, wget } from './network.ts';
import { npmNamed, npmScript, rpm } from './packages.ts';
import { sed } from './sed.ts';
import { crontab, date, getent, kill, ldconfig, mount, service, sysctl, top } from './system.ts';
import { command, env, evaluate, parsedScript, shell, sourced, sudo, xargs } from './wrappers.ts';

export const logic: { readonly [name: string]: Logic } = {
  alias,
  ar,
  awk,
  binary,
  cargoRead,
  command,
  compgen,
  condition,
  crontab,
  curl,
  date,
  dc,
  dd,
  dig,
  env,
  evaluate,
  fd,
  find,
  getent,
  ghApi,
  git,
  gitCheckout,
  gitConfig,
  gitForeach,
  gitPush,
  goList,
  gpg,
  history,
  ifconfig,
  inContainer,
  interpreter,
  ip,
  jq,
  keyadd,
  keygen,
  kill,
  kubeExec,
  ldconfig,
  man,
  mapfile,
  mount,
  node,
  npmNamed,
  npmScript,
  openssl,
  pack,
  pager,
  parsedScript,
  php,
  python,
  rpm,
  rsync,
  sed,
  service,
  shell,
  shellOptions,
  shellSettings,
  sourced,
  subscripts,
  sudo,
  sysctl,
  tar,
  toOutput,
  top,
  trap,
  unzip,
  wget,
  xargs,
  yq,
  xxd,
};
