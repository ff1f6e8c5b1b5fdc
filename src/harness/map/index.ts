/** The joint between the map of a repository and those who are shown it. What makes it is loaded with the first one. */
export type { MapOptions, MapReport } from './report.ts';
export const loadMapReport = () => import('./report.ts');
