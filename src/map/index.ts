/** The door of the map: what a repository defines, ranked by what is asked. All of it is loaded with the first map. */
export type { Inventory, Why } from './inventory.ts';
export type { RepositoryMap } from './map.ts';
export type { MapSources } from './needs.ts';
export type { Question } from './question.ts';

export const loadMap = () => import('./make.ts');
