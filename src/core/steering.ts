/** What a person says while a run works: a steer is heard after the present calls, a follow-up when the run would stop. */
import type { EventId } from './identifiers.ts';

export interface SteeringData {
  /** A follow-up that was held until now is said to the model here. */
  'follow-up': { input: EventId };
}

/** The element that marks a steer; in what tools give it is defused, so no result can speak for the person. */
export const steeringElement = 'user-message';

/** A steer stands beside results: the model must be able to tell who said it. */
export function steeringText(text: string): string {
  return `<${steeringElement} sent="while you work">\n${text}\n</${steeringElement}>`;
}
