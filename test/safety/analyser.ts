import { posix } from 'node:path';
import { createCommandAnalyser, type Analyser, type AnalyserOptions } from '../../src/safety/index.ts';

/** Folders that there are, beside the root. */
const folders = ['/work', '/work/sub', '/work/sub/deep', '/home/person', '/tmp'];

/** An analyser in a place that is only thought of: `/work` is the workspace, nothing in it is a link. */
export function analyserOf(options: Partial<AnalyserOptions> = {}): Analyser {
  return createCommandAnalyser({
    place: { workspace: '/work', home: '/home/person', git: () => ({ aliases: {} }), scripts: () => undefined },
    realPath: async (path) => withoutSlash(posix.normalize(path)),
    isFolder: async (path) => path === '/' || folders.includes(path),
    ...options,
  });
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
