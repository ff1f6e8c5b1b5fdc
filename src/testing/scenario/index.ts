/** The door of the scenario format. */
export * from './types.ts';
export { loadScenario, parseScenario } from './load.ts';
export { stageOf } from './contradictions.ts';
export { scenarioSchema, strictRules } from './schema.ts';
