/** The joint between settings and models: which a run may ask, where they are, with what key, or from a recording. */
export { keyVariables } from './access.ts';
export { chooseByKeys, defaultProvider } from './choice.ts';
export { Keys } from './keys.ts';
export { modelsReport, type ModelRow, type ModelsReport, type ProviderRow, type RouteRow } from './models.ts';
export { findProvider, proxyOf, type Beside, type FindOptions, type Provider } from './provider.ts';
export { replay, replayPrefix, surroundingsOf, type ModelParts } from './recording.ts';
export { configuredModel, entryOf, noOther, refuseUnknownSpending, routesOf, targetOf } from './targets.ts';
export { goingOn, switchNotices } from './own-model.ts';
