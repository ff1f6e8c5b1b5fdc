/** A session with the tools that search, over a real searcher. */
import { createSearcher, type Searcher } from '../../src/exec/index.ts';
import { createFindTool } from '../../src/tools/builtin/find/index.ts';
import { createSearchTool } from '../../src/tools/builtin/search/index.ts';
import { toolSession, type SessionOptions } from './session.ts';

export async function searchSession(files: SessionOptions['files']) {
  let real: Searcher | undefined;
  const searcher = (): Searcher => {
    real ??= createSearcher({ workspace: session.workspace.path, environment: {} });
    return real;
  };
  const lazily: Searcher = {
    search: (request, signal) => searcher().search(request, signal),
    find: (request, signal) => searcher().find(request, signal),
  };
  const session = await toolSession({ files, tools: [createSearchTool(lazily), createFindTool(lazily)] });
  return session;
}
