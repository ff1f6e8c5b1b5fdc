/** Files that hold keys, passwords and tokens: data, by where programs keep them. */
import { mayBeIn } from './glob.ts';
import { inWorkspace } from './paths.ts';
import type { PolicyPlaces } from './places.ts';

/** In a home; `/**` behind a folder means all that is in it. */
const inHome = [
  '.ssh/id_*',
  '.ssh/*.pem',
  '.ssh/*_rsa',
  '.ssh/*_ed25519',
  '.ssh/identity',
  '.aws/credentials',
  '.aws/sso/cache/**',
  '.aws/cli/cache/**',
  '.azure/**',
  '.config/gcloud/**',
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.docker/config.json',
  '.config/containers/auth.json',
  '.kube/config',
  '.config/gh/hosts.yml',
  '.config/glab-cli/config.yml',
  '.gnupg/**',
  '.password-store/**',
  '.local/share/keyrings/**',
  '.pgpass',
  '.my.cnf',
  '.vault-token',
  '.terraform.d/credentials.tfrc.json',
  '.config/rclone/rclone.conf',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.mozilla/**',
  '.config/google-chrome/**',
];

/** Folders that hold little else: named as a whole they count, too. */
const foldersInHome = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.docker',
  '.config/gh',
  '.config/gcloud',
  '.password-store',
];

const ofSystem = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d/**',
  '/etc/ssl/private/**',
  '/etc/ssh/ssh_host_*_key',
  '/etc/NetworkManager/system-connections/**',
  '/etc/kubernetes/admin.conf',
  '/var/run/secrets/**',
  '/run/secrets/**',
  '/proc/*/environ',
  '/proc/*/task/*/environ',
  '/proc/*/mem',
  '/proc/kcore',
  '/dev/mem',
];

/** Private keys by their names, where no public certificates are kept. */
const keyFile = /\.(?:pem|key|p12|pfx|keystore|jks)$|\/id_(?:rsa|ed25519|ecdsa|dsa)$/;
const publicKeys =
  /^\/(?:usr|opt|lib|lib64|nix|etc\/(?:ssl\/certs|pki|ca-certificates))\/|\/(?:node_modules|site-packages)\//;

/** `.env`, `.env.local`, ... but not what is there to be copied. */
const environmentFile = /^\.env(?:\.[\w-]+)*$/i;
const samples = /\.(?:example|sample|template|dist|defaults?|schema)$/i;

export interface CredentialPath {
  path: string;
  recursive?: boolean;
}

/** Whose keys a path holds, in words; nothing where it holds none. */
export function credentialAt({ path, recursive }: CredentialPath, places: PolicyPlaces): string | undefined {
  if (path.endsWith('.pub')) return undefined;
  const mayBeSystem = /^\/(?:etc|var|run|proc|dev)\//.test(path) || /[*?[]/.test(path);
  if (mayBeSystem && ofSystem.some((pattern) => mayBeIn(path, pattern))) return 'holds passwords or keys of the system';
  if (isInHomes(path, recursive === true, places.home)) return 'holds keys or tokens of the user';
  const isOutside = inWorkspace(path, places.workspace) === undefined;
  if (isOutside && !publicKeys.test(path) && keyFile.test(path)) {
    return 'is a private key';
  }
  return undefined;
}

/** The user’s home, and those of others by the place where homes are. */
function isInHomes(path: string, recursive: boolean, home: string | undefined): boolean {
  if (/[*?[]/.test(path)) {
    const homes = [...(home === undefined ? [] : [home]), '/root', '/home/*', '/Users/*'];
    return homes.some((folder) => inHome.some((pattern) => mayBeIn(path, `${folder}/${pattern}`)));
  }
  const own = home === undefined ? undefined : inWorkspace(path, home);
  const others = /^\/(?:root|(?:home|Users)\/[^/]+)\/(.*)/s.exec(path)?.[1];
  return [own, others].some((relative) => relative !== undefined && isKept(relative, recursive));
}

/** All of these begin with a dot. */
function isKept(relative: string, recursive: boolean): boolean {
  if (!relative.startsWith('.')) return false;
  if (recursive && foldersInHome.includes(relative.replace(/\/+$/, ''))) return true;
  return inHome.some((pattern) => mayBeIn(relative, pattern));
}

/** The workspace’s own environment files, at any depth. */
export function isEnvironmentFile(path: string, workspace: string): boolean {
  const relative = inWorkspace(path, workspace);
  if (relative === undefined) return false;
  const name = relative.slice(relative.lastIndexOf('/') + 1);
  if (environmentFile.test(name)) return !samples.test(name);
  // A pattern of the shell that means them, not all that is hidden.
  return name !== '.*' && mayBeIn(name, '.env');
}
