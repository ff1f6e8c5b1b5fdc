/** The door of config: settings with their layers and origins, trust, grants, places, and the environment. */
export { readSettingsFile } from './read-file.ts';
export { commandEnvironment, readEnvironment, readKey, type Environment, type Proxies } from './environment.ts';
export { loadGrants, revokeGrant, saveGrant, type GrantPlace, type Grants } from './grants.ts';
export {
  changeMemory,
  decideProposal,
  loadMemory,
  proposeMemory,
  type Memory,
  type MemoryPlace,
  type MemoryProposal,
  type MemoryVersion,
} from './memory.ts';
export { mostMemory, memoryScopes, type MemoryChange, type MemoryScope } from './memory-change.ts';
export { differenceBetween } from './difference.ts';
export { readKeyFile } from './key-file.ts';
export { loadSettings, type LoadedSettings, type LoadOptions } from './load.ts';
export { placesOf, projectSettings, type Places, type Variables } from './places.ts';
export { listProfiles, profileTrust, UntrustedProfile, type ChosenProfile, type ProfileRow } from './profiles.ts';
export { settingsRows, type Row } from './rows.ts';
export type {
  ApprovalSettings,
  Effort,
  Endpoint,
  Layer,
  Notice,
  Origin,
  Overrides,
  Phase,
  ProviderSettings,
  ReviewerSettings,
  RuleSettings,
  Settings,
  SettingsCheck,
  Thinking,
  Timeouts,
} from './settings.ts';
export {
  isTrusted,
  listTrust,
  revokeTrust,
  trust,
  type TrustAnswer,
  type Trusted,
  type TrustPlace,
  type TrustQuestion,
} from './trust.ts';
