/** Effort, thinking and sampling in the words of a dialect of Chat Completions. */
import type { Json, JsonObject, Target } from '../../core/index.ts';
import { castEffort } from '../sending/index.ts';
import type { ChatProfile } from './profiles.ts';
import { isObject } from '../reply.ts';

type Keys = { [key: string]: Json | undefined };

/** What the settings add to a body, or put in the place of what `settings.body` has. */
export function settingKeys({ settings, abilities }: Target, profile: ChatProfile, maxOutput: number): Keys {
  const { body = {}, thinking, temperature, topP } = settings;
  const canSwitch = profile.thinking !== 'effort' && abilities.thinking !== 'none';
  const thinks = thinking === undefined || !canSwitch ? undefined : thinking !== 'off';
  const budget = typeof thinking === 'number' && (abilities.thinking === 'budget' || abilities.thinking === 'either');
  const said: Said = {
    effort: effortOf({ settings, abilities }, thinks),
    thinks,
    budget: budget && thinks === true ? Math.max(1, Math.min(thinking, maxOutput - 1)) : undefined,
  };
  return {
    ...effortKeys(said, body, profile),
    ...(abilities.sampling && temperature !== undefined ? { temperature } : {}),
    ...(abilities.sampling && topP !== undefined ? { top_p: topP } : {}),
  };
}

interface Said {
  effort: string | undefined;
  thinks: boolean | undefined;
  budget: number | undefined;
}

/** Thinking that is off needs no effort; where nothing else can say so, the effort says it. */
function effortOf(
  { settings, abilities }: Pick<Target, 'settings' | 'abilities'>,
  thinks?: boolean,
): string | undefined {
  if (thinks === false) return undefined;
  if (settings.thinking === 'off' && abilities.efforts.includes('none')) return 'none';
  return castEffort(settings.effort, abilities.efforts);
}

function effortKeys(said: Said, body: JsonObject, profile: ChatProfile): Keys {
  const { effort, thinks } = said;
  const top: Keys = profile.effort === 'top' && effort !== undefined ? { reasoning_effort: effort } : {};
  switch (profile.thinking) {
    case 'effort':
      return top;
    case 'type':
      return { ...top, ...(thinks === undefined ? {} : { thinking: { type: thinks ? 'enabled' : 'disabled' } }) };
    case 'template': {
      // Templates have either name for the switch, and ignore what they don't know.
      const inTemplate = {
        ...(thinks === undefined ? {} : { enable_thinking: thinks, thinking: thinks }),
        ...(profile.effort === 'template' && effort !== undefined ? { reasoning_effort: effort } : {}),
      };
      return { ...top, ...merged('chat_template_kwargs', inTemplate, body) };
    }
    default:
      return merged('reasoning', reasoningOf(said), body);
  }
}

/** One of effort, budget and switch: they exclude each other. */
function reasoningOf({ effort, thinks, budget }: Said): JsonObject {
  if (thinks === false) return { enabled: false };
  if (budget !== undefined) return { max_tokens: budget };
  if (effort !== undefined) return { effort };
  return thinks === true ? { enabled: true } : {};
}

/** An object of the body with more keys; nothing where there are none. */
function merged(key: string, more: JsonObject, body: JsonObject): Keys {
  const given = isObject(body[key]) ? body[key] : {};
  return Object.keys(more).length === 0 ? {} : { [key]: { ...given, ...more } };
}
