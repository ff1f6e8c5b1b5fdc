/** What the wires share on the way in: calls, texts and reasoning out of whatever servers send. */
export { CallDeltas, type GrowingCall } from './call-deltas.ts';
export { mendJson } from './json-mending.ts';
export { mostItems, OutputItems, type Growth, type OutputItem } from './output-items.ts';
export { PartialArguments } from './partial-arguments.ts';
export { Said, type Field } from './said.ts';
export { callsInText, type TextCall } from './text-calls.ts';
export { ThinkTags } from './think-tags.ts';
