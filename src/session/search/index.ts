/** The inner door to the search. */
export { search, type SearchHit, type SearchOptions, type SearchQuery } from './search.ts';
