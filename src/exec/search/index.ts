/** The inner door to search. Nothing of it is loaded, and no program looked for, before the first search. */
import type { Found, Refusal, Searcher } from './requests.ts';
import type { SearcherOptions } from './searcher.ts';

export type { Searcher } from './requests.ts';
export type { SearcherOptions } from './searcher.ts';

/** The searcher of a workspace: on ripgrep where there is one, else on a walk of its own that gives the same answers. */
export function createSearcher(options: SearcherOptions): Searcher {
  let made: Promise<Searcher> | undefined;
  const ask = async (question: (searcher: Searcher) => Promise<Found | Refusal>): Promise<Found | Refusal> => {
    made ??= import('./searcher.ts').then(({ makeSearcher }) => makeSearcher(options));
    return question(await made);
  };
  return {
    search: (request, signal) => ask((searcher) => searcher.search(request, signal)),
    find: (request, signal) => ask((searcher) => searcher.find(request, signal)),
  };
}
