/** The user's own Git settings that commits need, since the home folder with the rest of them is hidden. */
import { spawn } from 'node:child_process';
import type { Environment } from '../needs.ts';

/** Who commits, and what changes the bytes of a commit. Filters run inside the sandbox only, where they are as harmless as any command. */
const taken =
  /^(user\.(name|email)|core\.(autocrlf|eol|safecrlf)|init\.defaultbranch|pull\.(rebase|ff)|merge\.conflictstyle|diff\.algorithm|filter\..+)$/;

const limit = 256 * 1024;

/** The text of the configuration file that stands in for the user's. */
export async function gitConfiguration(git: string | undefined, environment: Environment): Promise<string> {
  const listed = git === undefined ? '' : await globalSettings(git, environment);
  const settings = listed.split('\0').flatMap((entry) => {
    const end = entry.indexOf('\n');
    return end > 0 && taken.test(entry.slice(0, end)) ? [asSection(entry.slice(0, end), entry.slice(end + 1))] : [];
  });
  // Files of other owners appear under a stand-in owner inside, which Git would refuse; everything here is sandboxed anyway.
  return ['[safe]\n\tdirectory = *\n', ...settings].join('');
}

/** `git config --global --list -z`: key, line end, value, NUL. Empty when there is none or it can't be read. */
function globalSettings(git: string, environment: Environment): Promise<string> {
  const names = ['HOME', 'XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'PATH'];
  const env = Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
  return new Promise((resolve) => {
    const child = spawn(git, ['config', '--global', '--includes', '--list', '-z'], {
      cwd: '/',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2000,
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (text.length < limit) text += chunk.toString('utf8');
    });
    child.once('error', () => resolve(''));
    child.once('close', () => resolve(text));
  });
}

function asSection(key: string, value: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const subsection = first === last ? '' : ` "${escaped(key.slice(first + 1, last))}"`;
  return `[${key.slice(0, first)}${subsection}]\n\t${key.slice(last + 1)} = "${escaped(value).replaceAll('\n', '\\n')}"\n`;
}

function escaped(text: string): string {
  return text.replace(/[\\"]/g, '\\$&');
}
