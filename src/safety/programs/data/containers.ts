/** Containers and clusters. */
import type { Program, Programs } from '../table.ts';
import { acts, list } from './kinds.ts';

/** Asks the daemon of this machine, and nothing else. */
const looks: Program = {
  flags:
    '-# -a -l -n -q -s -f -t --all --latest --no-trunc --quiet --size --digests --tree --timestamps --details --follow --verbose --no-stream --orphans --services --volumes --images --profiles --environment --no-interpolate --resolve-image-digests --lock-image-digests --no-color --no-log-prefix --json',
  values: { text: '-f -n --filter --format --last --since --until --tail --type --index --status --hash' },
  words: '...text',
};
const looksAt: Program = {
  ...looks,
  flags: `${looks.flags?.replace(' -n', '').replace(' -f', '') ?? ''} -f`,
  values: { text: '-n --filter --format --last --since --until --tail --type --index --status' },
};

/** Runs a command in a container; what stands behind its name is that command. */
const containerRun: Program = {
  effects: ['execute', 'network', 'write'],
  why: 'runs a command in a container',
  flags:
    '-d -i -t -P -q --detach --interactive --tty --rm --init --privileged --publish-all --read-only --quiet --no-healthcheck --oom-kill-disable --sig-proxy',
  values: {
    text: '-a -c -e -h -l -m -p -u -w --add-host --annotation --attach --blkio-weight --cap-add --cap-drop --cidfile --cpus --cpu-shares --cpuset-cpus --device --dns --env --expose --gpus --group-add --health-cmd --hostname --ip --ipc --label --link --log-driver --log-opt --mac-address --memory --memory-swap --name --network --net --network-alias --pid --pids-limit --platform --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit --user --userns --uts --volumes-from --workdir --detach-keys',
    read: '--env-file --label-file',
    unknown: '-v --volume --mount --volume-driver',
    code: '--entrypoint',
  },
  stops: true,
  words: 'text command',
  logic: 'inContainer',
};
const containerExec: Program = {
  ...containerRun,
  effects: ['execute'],
  flags: '-d -i -t -T --detach --interactive --tty --privileged --no-TTY',
  values: { text: '-e -u -w --env --user --workdir --index --detach-keys', read: '--env-file' },
};

const running = 'start restart unpause up watch';
const stopping = 'stop pause kill wait attach rename update scale';

const compose: Program = {
  flags: '--all-resources --compatibility --dry-run --verbose',
  values: {
    text: '-p --ansi --parallel --profile --progress --project-name',
    remote: '-f --file',
    read: '--env-file --project-directory',
  },
  commands: {
    ...list('ps ls images top version port stats', looks),
    logs: looksAt,
    config: {
      flags:
        '-q --quiet --services --volumes --images --profiles --environment --no-interpolate --no-normalize --no-path-resolution --no-consistency',
      acts: { network: '--resolve-image-digests --lock-image-digests' },
      values: { text: '--format --hash', write: '-o --output' },
      words: '...text',
    },
    events: { ...looks, flags: '--json' },
    ...list(running, acts(['execute', 'network', 'write'], 'starts containers')),
    ...list('create build pull', acts(['execute', 'network', 'write'], 'builds or fetches images')),
    ...list(stopping, acts(['execute'], 'changes containers')),
    push: acts(['network', 'write'], 'publishes images'),
    down: acts(['execute', 'destroy'], 'removes containers'),
    rm: acts(['destroy'], 'removes containers'),
    cp: acts(['write'], 'copies files'),
    run: { ...containerRun, anyOption: true },
    exec: containerExec,
  },
};

const storeCommands = (more: Programs = {}): Program => ({
  commands: {
    ...list('ls list inspect', looks),
    create: acts(['write'], 'makes one'),
    rm: acts(['destroy'], 'removes one'),
    remove: acts(['destroy'], 'removes one'),
    prune: acts(['destroy'], 'removes what isn’t used'),
    connect: acts(['write'], 'connects containers'),
    disconnect: acts(['write'], 'disconnects containers'),
    ...more,
  },
});

const containerCommands: Programs = {
  ...list('ps images info version inspect port top diff history stats', looks),
  logs: looksAt,
  events: looks,
  ...list('start restart unpause', acts(['execute'], 'starts containers')),
  ...list(stopping, acts(['execute'], 'changes containers')),
  create: containerRun,
  run: containerRun,
  exec: containerExec,
  build: acts(['execute', 'network', 'write'], 'builds an image'),
  pull: acts(['network', 'write'], 'fetches an image'),
  push: acts(['network', 'write'], 'publishes an image'),
  ...list('commit tag import load', acts(['write'], 'changes images')),
  save: { flags: '', values: { write: '-o --output', text: '--platform' }, words: '...text' },
  export: { values: { write: '-o --output' }, words: 'text' },
  cp: acts(['write'], 'copies files'),
  rm: acts(['destroy'], 'removes containers'),
  rmi: acts(['destroy'], 'removes images'),
  search: acts(['network'], 'asks a registry'),
  login: acts(['network', 'write'], 'keeps credentials'),
  logout: acts(['write'], 'forgets credentials'),
  volume: storeCommands(),
  network: storeCommands(),
  config: storeCommands(),
  secret: storeCommands(),
  image: storeCommands({
    ...list('history', looks),
    ...list('build pull load import tag', acts(['execute', 'network', 'write'], 'changes images')),
    push: acts(['network', 'write'], 'publishes an image'),
  }),
  container: storeCommands({
    ...list('logs port top stats diff', looksAt),
    run: containerRun,
    exec: containerExec,
    ...list('start stop restart kill pause unpause rename update wait attach', acts(['execute'], 'changes containers')),
    ...list('cp commit', acts(['write'], 'copies files')),
    export: { values: { write: '-o --output' }, words: 'text' },
  }),
  system: {
    commands: {
      df: { flags: '-v --verbose', values: { text: '--format' } },
      info: looks,
      events: looks,
      prune: acts(['destroy'], 'removes what isn’t used'),
    },
  },
  context: { commands: { ...list('ls list show inspect', looks) }, other: acts(['write'], 'changes settings') },
  buildx: {
    commands: { ...list('ls version du', { anyOption: true, words: '...text' }), inspect: { words: '...text' } },
    other: acts(['execute', 'network', 'write'], 'builds images'),
  },
  builder: acts(['execute', 'destroy'], 'manages builds'),
  swarm: acts(['execute', 'network'], 'manages a swarm'),
  stack: acts(['execute', 'network'], 'manages a swarm'),
  service: acts(['execute', 'network'], 'manages a swarm'),
  node: acts(['execute', 'network'], 'manages a swarm'),
  plugin: {
    commands: { ls: looks, list: looks, inspect: looks },
    other: acts(['execute', 'network'], 'manages plugins'),
  },
  help: { words: '...text' },
  compose,
};

const docker: Program = {
  flags: '-D --debug --tls --tlsverify',
  values: { text: '-l --log-level', unknown: '-c -H --context --host --config --tlscacert --tlscert --tlskey' },
  helps: '-v --version --help',
  commands: containerCommands,
};

const kubeLook: Program = {
  effects: ['network'],
  why: 'asks the cluster',
  anyOption: true,
  words: '...text',
  values: {
    text: '-n -o -l -c --namespace --output --selector --container --context --tail --since',
    unknown: '--kubeconfig',
    host: '-s --server',
  },
};

/** Options of every sub-command by which it writes what it did. */
const kubeWrites = '--profile --profile-output --log-file --log-dir';

export const containers: Programs = {
  docker,
  podman: docker,
  nerdctl: docker,
  'docker-compose': compose,
  'podman-compose': compose,
  kubectl: {
    anyOption: true,
    acts: { write: kubeWrites },
    values: {
      text: '-n --namespace --context --cluster --user -v --request-timeout',
      unknown: '--kubeconfig --as',
      host: '-s --server',
    },
    commands: {
      ...list('get describe logs top explain api-resources api-versions cluster-info events diff wait auth', kubeLook),
      options: {},
      version: {
        ...kubeLook,
        helps: '--client --help',
        looks: { '--client': { flags: '--client --short', values: { text: '-o --output' } } },
      },
      config: {
        commands: {
          ...list('view current-context get-contexts get-clusters get-users', {
            anyOption: true,
            words: '...text',
            acts: { 'cannot-tell': '--raw', write: kubeWrites },
          }),
        },
        other: acts(['write'], 'changes settings'),
      },
      exec: {
        effects: ['network', 'execute'],
        why: 'runs a command in the cluster',
        flags: '-i -t -q --stdin --tty --quiet',
        values: { text: '-c -n -f --container --namespace --context --filename', unknown: '--kubeconfig' },
        logic: 'kubeExec',
      },
      run: acts(['network', 'execute', 'write'], 'runs a pod'),
      debug: acts(['network', 'execute', 'write'], 'runs a pod'),
      attach: acts(['network', 'execute'], 'attaches to a pod'),
      'port-forward': acts(['network'], 'forwards a port'),
      proxy: acts(['network'], 'forwards a port'),
      cp: acts(['network', 'write', 'execute'], 'copies files'),
      edit: acts(['network', 'write', 'execute'], 'changes the cluster'),
      ...list(
        'apply create patch replace scale rollout set label annotate expose autoscale taint cordon uncordon certificate kustomize',
        acts(['network', 'write'], 'changes the cluster'),
      ),
      ...list('delete drain', acts(['network', 'destroy'], 'deletes from the cluster')),
    },
  },
  helm: {
    anyOption: true,
    values: { text: '-n --namespace --kube-context', unknown: '--kubeconfig --post-renderer' },
    commands: {
      ...list('list ls status history get search show', kubeLook),
      ...list('template lint', acts(['cannot-tell'], 'renders a chart')),
      env: {},
      version: { flags: '--short -c --client', values: { text: '--template' } },
      ...list('install upgrade rollback test', acts(['network', 'write', 'execute'], 'changes the cluster')),
      ...list('uninstall delete', acts(['network', 'destroy'], 'deletes from the cluster')),
      push: acts(['network', 'write'], 'publishes a chart'),
    },
    other: acts(['network', 'write', 'cannot-tell'], 'manages charts'),
  },
  terraform: {
    anyOption: true,
    helps: '-help --help -h',
    commands: {
      version: acts(['network'], 'asks whether there is a newer one'),
      fmt: acts(['write'], 'formats files', {
        looks: {
          '-check': {
            style: 'single',
            flags: '-check -diff -recursive -no-color',
            acts: { write: '-write' },
            words: '...tree',
          },
        },
      }),
      ...list('validate show output providers graph', acts(['execute'], 'runs providers')),
      ...list('plan init get', acts(['network', 'execute', 'write'], 'runs providers')),
      ...list('apply import', acts(['network', 'execute', 'write'], 'changes infrastructure')),
      destroy: acts(['network', 'execute', 'destroy'], 'destroys infrastructure'),
    },
    other: acts(['network', 'execute', 'write', 'cannot-tell'], 'changes infrastructure'),
  },
  ansible: acts(['network', 'execute', 'cannot-tell'], 'runs commands on other machines'),
  'ansible-playbook': acts(['network', 'execute', 'cannot-tell'], 'runs commands on other machines'),
  vagrant: acts(['network', 'execute', 'cannot-tell'], 'runs machines'),
  ...list(
    'minikube kind k9s',
    acts(['network', 'execute', 'cannot-tell'], 'runs or works with a cluster', {
      helps: 'version --version --help',
    }),
  ),
};
