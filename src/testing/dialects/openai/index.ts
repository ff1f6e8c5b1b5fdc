/** The door of what both wires of OpenAI have in common. */
export { cachedByItself, part } from './canonical.ts';
export { errorBody, errorFields, limitHeaders, overloadedStatus } from './errors.ts';
export * as faults from './faults.ts';
export { IssuedReasoning, rawEvents } from './issued.ts';
export { askedMessage, CallNames, joinNeighbours } from './question.ts';
export { asList, asText, isBlank, isObject, objectsIn, parseObject } from './shape.ts';
export { EventList, piecesOf, rawPlan } from './stream.ts';
export { usageFields } from './usage.ts';
export { checkBody, firstOf, unknownKeys, type Findings } from './findings.ts';
export { checkParameters } from './function-schema.ts';
export { imageFault } from './image.ts';
