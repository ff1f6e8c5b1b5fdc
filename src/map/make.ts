/** What is loaded with the first map. */
export { takeInventory } from './inventory.ts';
export { sourceGlob } from './languages/index.ts';
export { mapOf } from './map.ts';
