import { createSearcher } from '../../src/exec/index.ts';
import { testSearcherContract } from './searcher.ts';

testSearcherContract('the searcher on ripgrep', (workspace) => createSearcher({ workspace, environment: {} }));
testSearcherContract('the searcher on its own walk', (workspace) =>
  createSearcher({ workspace, environment: {}, program: null }),
);
