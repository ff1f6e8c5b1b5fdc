/** Other agents, where they are installed: pointed at the local model server, with a home and settings that are thrown away. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, model, programInPath, task, type Contender } from './contenders.ts';
import type { RunFolders } from './place.ts';

interface Peer {
  name: string;
  /** It doesn't speak the Messages API, the one wire that is served here. */
  otherWire?: true;
  /** Writes its settings and gives its arguments and further variables. */
  prepare?: (folders: RunFolders, url: string) => { args: string[]; env?: { [name: string]: string } };
}

const peers: Peer[] = [
  {
    name: 'pi',
    prepare({ home }, url) {
      const models = [{ id: model, name: model, contextWindow: 200_000, maxTokens: 16_000, input: ['text'] }];
      const provider = { baseUrl: url, apiKey: 'bench', api: 'anthropic-messages', models };
      write(join(home, '.pi', 'agent', 'models.json'), { providers: { bench: provider } });
      return { args: ['--print', '--provider', 'bench', '--model', model, task] };
    },
  },
  {
    name: 'claude',
    prepare() {
      const env = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', IS_SANDBOX: '1', DISABLE_AUTOUPDATER: '1' };
      return { args: ['--print', '--dangerously-skip-permissions', '--model', model, task], env };
    },
  },
  {
    name: 'opencode',
    prepare({ config }, url) {
      const provider = {
        npm: '@ai-sdk/anthropic',
        options: { baseURL: `${url}/v1`, apiKey: 'bench' },
        models: { [model]: { name: model, tool_call: true, limit: { context: 200_000, output: 16_000 } } },
      };
      write(join(config, 'opencode', 'opencode.json'), { provider: { bench: provider }, autoupdate: false });
      return { args: ['run', '--model', `bench/${model}`, task] };
    },
  },
  { name: 'codex', otherWire: true },
  { name: 'gemini', otherWire: true },
];

export interface Peers {
  contenders: Contender[];
  /** Why others aren't among them. */
  absent: string[];
}

export function findPeers(): Peers {
  const found: Peers = { contenders: [], absent: [] };
  for (const { name, otherWire, prepare } of peers) {
    const program = programInPath(name);
    if (program === undefined) found.absent.push(`${name}: not in PATH`);
    else if (otherWire || prepare === undefined) found.absent.push(`${name}: not measured, it speaks another wire`);
    else {
      const command: Contender['command'] = (folders, url) => {
        const { args, env = {} } = prepare(folders, url);
        return { program, args, env: { ...environment(folders, url), ...env }, cwd: folders.workspace };
      };
      found.contenders.push({ name, command });
    }
  }
  return found;
}

function write(file: string, content: object): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}
