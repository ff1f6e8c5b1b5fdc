/** What the checks need of what the server knows of its own replies. */
import type { IssuedReasoning } from '../../openai/index.ts';
import type { GivenResponses } from '../given.ts';

export interface Memory {
  issued: IssuedReasoning;
  given: GivenResponses;
}
