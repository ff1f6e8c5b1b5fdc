/** How events and calls are named. */

export type EventId = string;
/** `<id of the reply event>/<index of the call among the calls of that reply>`: unique whatever ids a provider sends. */
export type CallKey = string;
