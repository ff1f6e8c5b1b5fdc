/** What the wires share on the way out: a conversation and its tools as a provider takes them. */
export { BodyWriter, furtherKeys, joined, once, separated } from './body.ts';
export { addressCalls, type Addressed, type AddressedReply, type AddressedUser, type NameRule } from './call-ids.ts';
export { castEffort } from './efforts.ts';
export { imageData, imagesAtHand, type ImageRule } from './images.ts';
export { json } from './json.ts';
export { resultText } from './result-text.ts';
export { shortIds } from './short-ids.ts';
export { castTools, toolNames, type CastTool, type ToolNames, type ToolRule } from './tool-cast.ts';
export { wholeSchema } from './schema-dialect.ts';
