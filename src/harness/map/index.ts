/** The joint between the map of a repository and those who are shown it. What makes it is loaded with the first one. */
export type { MapOptions, MapReport } from './report.ts';
export type { MapLayer } from './layer.ts';
export { mapperFor, type MapFocus } from './tool.ts';
export const loadMapLayerOfRun = () => import('./layer.ts');
export const loadMapReport = () => import('./report.ts');
