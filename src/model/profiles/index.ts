/** What the vendors and servers of Chat Completions differ in. */
export { settingKeys } from './chat-settings.ts';
export { profileOf, type ChatProfile } from './profiles.ts';
export { returned } from './returned.ts';
