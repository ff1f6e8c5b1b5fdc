/**
 * The dialects of Chat Completions, as data: what vendors and servers of this wire do differently. Sources: the vendors' references,
 * the typings of their SDKs and their issue trackers, read in 2026; where a server is silent, what every server takes.
 */
import { ReinsError, type Target } from '../../core/index.ts';
import { wholeSchema, type ImageRule, type NameRule, type ToolRule } from '../sending/index.ts';

export interface ChatProfile {
  /** The role of the system prompt. */
  systemRole: 'system' | 'developer';
  /** The key of the output limit. */
  limitKey: 'max_tokens' | 'max_completion_tokens';
  /** Whether usage is asked for; left out where that is refused and usage comes anyway. */
  usageOption: 'send' | 'omit';
  /**
   * How the model's own reasoning goes back: not at all (it is refused, or of no use), in the field in which it came, or as
   * `reasoning_content` of each reply, empty where there is none.
   */
  reasoning: 'drop' | 'return' | 'demand';
  /** Whether text may begin with reasoning between `<think>` tags. */
  thinkTags: boolean;
  /** Where an effort is said: at the top, in `reasoning`, or in what the chat template gets. */
  effort: 'top' | 'reasoning' | 'template';
  /** How thinking is switched: by the effort alone, by `thinking.type`, in `reasoning`, or in what the chat template gets. */
  thinking: 'effort' | 'type' | 'reasoning' | 'template';
  /** What the id of a call may be. */
  callIds: CallIdRule;
  /** The content of a reply that holds calls alone: templates of local servers fail on null, others expect it. */
  silence: '' | null;
  /** Whether a cache is found by `prompt_cache_key`. */
  cacheKey: boolean;
  /** Models whose prompts are cached up to marks in the content. */
  marked?: RegExp;
  /** Whether a reply has to stand between results and what is said after them. */
  bridge: boolean;
  /** Whether calls that are printed as text count, and nearly right arguments are mended. */
  textCalls: boolean;
  tools: ToolRule;
  images: ImageRule;
}

export interface CallIdRule extends NameRule {
  /** An id that isn't of this form becomes one of this many letters and digits. */
  exactly?: { form: RegExp; length: number };
}

const usualIds: CallIdRule = { illegal: /[^a-zA-Z0-9_-]/g, longest: 64 };

/** OpenAI's own rule, which others took over: a list says what it lists, and the arguments are one object. */
const usualTools: ToolRule = {
  name: { illegal: /[^a-zA-Z0-9_-]/g, longest: 64 },
  schema: { ...wholeSchema, needsItems: true, bytes: 200_000 },
};

/** What a grammar or a template of a local server is made from: plain words, nothing referred to, no patterns (half of them fail). */
const localTools: ToolRule = {
  name: usualTools.name,
  schema: {
    ...usualTools.schema,
    keywords: new Set(
      (
        'type title description default format enum const nullable properties required additionalProperties items anyOf ' +
        'oneOf allOf minimum maximum minLength maxLength minItems maxItems'
      ).split(' '),
    ),
    references: false,
  },
};

const usualImages: ImageRule = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  longest: 20 * 1024 * 1024,
};

/** What every server takes, and what is read from any. */
const plain: ChatProfile = {
  systemRole: 'system',
  limitKey: 'max_tokens',
  usageOption: 'send',
  reasoning: 'return',
  thinkTags: true,
  effort: 'top',
  thinking: 'effort',
  callIds: usualIds,
  silence: null,
  cacheKey: false,
  bridge: false,
  textCalls: false,
  tools: usualTools,
  images: usualImages,
};

/** Servers on one's own machine: a chat template of the model makes the prompt, and parsers of the server read the reply. */
const local: ChatProfile = { ...plain, silence: '', textCalls: true, tools: localTools };

/** Models of Mistral: a reply between results and the next words, and short ids. */
const mistralNeeds: Partial<ChatProfile> = {
  bridge: true,
  callIds: { ...usualIds, exactly: { form: /^[a-zA-Z0-9]{9}$/, length: 9 } },
};

const profiles: { [name: string]: ChatProfile } = {
  plain,
  openai: {
    ...plain,
    systemRole: 'developer',
    limitKey: 'max_completion_tokens',
    reasoning: 'drop',
    thinkTags: false,
    callIds: { ...usualIds, longest: 40 },
    cacheKey: true,
  },
  vllm: { ...local, thinking: 'template' },
  sglang: { ...local, thinking: 'template' },
  'llama-cpp': { ...local, effort: 'template', thinking: 'template' },
  ollama: local,
  'lm-studio': local,
  deepseek: { ...plain, reasoning: 'demand', thinkTags: false, thinking: 'type' },
  mistral: { ...plain, ...mistralNeeds, usageOption: 'omit', thinkTags: false },
  // Fields that a model doesn't have are refused, and which has `reasoning` isn't told.
  groq: {
    ...plain,
    limitKey: 'max_completion_tokens',
    reasoning: 'drop',
    images: { ...usualImages, longest: 4 * 1024 * 1024 },
  },
  xai: { ...plain, limitKey: 'max_completion_tokens', reasoning: 'drop', thinkTags: false },
  openrouter: { ...plain, effort: 'reasoning', thinking: 'reasoning', marked: /^~?anthropic\// },
};

/** What models want wherever they run: it is their prompt format that asks for it. */
const modelNeeds: readonly { models: RegExp; needs: Partial<ChatProfile> }[] = [
  {
    models: /(?:^|\/)(?:open-)?(?:mistral|ministral|magistral|mixtral|devstral|codestral|pixtral)/i,
    needs: mistralNeeds,
  },
  // Its ids say which function was called: `functions.read:0`.
  { models: /(?:^|\/)kimi/i, needs: { callIds: { illegal: /[^a-zA-Z0-9_.:-]/g, longest: 64 } } },
];

const profileNames: readonly string[] = Object.keys(profiles);

const known = new Map<string, ChatProfile>();

/** The profile of a target; the same object for the same profile and model. Throws `config-invalid` for a name that isn't one. */
export function profileOf({ profile = 'plain', model }: Pick<Target, 'profile' | 'model'>): ChatProfile {
  const key = JSON.stringify([profile, model]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const base = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
  if (base === undefined)
    throw new ReinsError('config-invalid', `There is no profile "${profile}". There are: ${profileNames.join(', ')}.`);
  const needs = modelNeeds.filter(({ models }) => models.test(model)).map((entry) => entry.needs);
  const whole: ChatProfile = needs.reduce<ChatProfile>((sum, need) => ({ ...sum, ...need }), base);
  known.set(key, whole);
  return whole;
}
