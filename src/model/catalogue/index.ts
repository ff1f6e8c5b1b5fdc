/** Models and vendors by name, and what tokens cost. */
export {
  byName,
  findModel,
  modelsOf,
  providerNames,
  type ModelEntry,
  type ModelFacts,
  type ProviderFacts,
  type UserCatalogue,
} from './catalogue.ts';
export { credible } from './credible.ts';
export { affordableCharacters, brokenCost, cost, estimateTokens, missCost } from './rates.ts';
export { providerName, vendorNamed, vendors, type Vendor } from './vendors.ts';
