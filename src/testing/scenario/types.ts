/** A scenario as TypeScript sees it; the schema says what each field means. */
import type { XStatic } from 'typebox/schema';
import type {
  failureSchema,
  matchSchema,
  replySchema,
  ruleSchema,
  scenarioSchema,
  strictOptionsSchema,
  strictRules,
  turnSchema,
} from './schema.ts';

export type Scenario = XStatic<typeof scenarioSchema>;
/** One reply of the model. */
export type ScriptedReply = XStatic<typeof replySchema>;
/** A reply with its place in the script. */
export type Turn = XStatic<typeof turnSchema>;
/** A reply that comes whenever the request fits. */
export type TurnRule = XStatic<typeof ruleSchema>;
/** What happens to one attempt in place of the reply. */
export type ScriptedFailure = XStatic<typeof failureSchema>;
/** What is looked for in a request. */
export type Match = XStatic<typeof matchSchema>;
export type StrictRule = (typeof strictRules)[number];
export type StrictOptions = XStatic<typeof strictOptionsSchema>;
/** A point in the course of a reply. */
export type Stage = Extract<ScriptedFailure, { cut: unknown }>['cut'];
