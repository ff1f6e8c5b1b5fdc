/**
 * Words by which data gives orders to a model, as a list. Matched against text in lower case, on one line, with single blanks and without
 * what can't be seen. Each is bounded, so that hostile text costs no more than other text.
 */

export interface Phrase {
  kind: 'override' | 'role' | 'turn' | 'exfiltration' | 'secrecy';
  pattern: RegExp;
  /** Matched against the text as it is, in any case: it is about signs, not words. */
  raw?: true;
}

const earlier =
  '(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|existing|system|developer)';
const orders = '(?:instructions?|prompts?|directives?|directions|guidelines|guardrails|system messages?|programming)';
const secrets =
  "(?:\\S*\\.env\\b|\\S*id_rsa\\b|\\S*id_ed25519\\b|\\S*\\.ssh\\b\\S*|\\S*\\.aws/\\S*|/etc/passwd|environment variables|env vars|system prompt|conversation history|chat history|(?:all|any|every|the user’s|the user's|the users?) (?:api keys?|secrets?|credentials?|access tokens?|passwords?|private keys?|ssh keys?))";

export const phrases: readonly Phrase[] = [
  {
    kind: 'override',
    pattern: new RegExp(
      `\\b(?:ignore|disregard|forget|override|bypass|skip|discard|do not follow|don['’]t follow|stop following)(?: \\w+){0,3} ${earlier}(?: \\w+){0,3} ${orders}\\b`,
    ),
  },
  {
    kind: 'override',
    pattern: new RegExp(
      `\\b(?:ignore|disregard|forget|bypass)(?: (?:all|any|every|each|everything|of|the|those|these)){0,3} (?:your|its) (?:\\w+ ){0,2}(?:${orders}|rules|training|safety)\\b`,
    ),
  },
  {
    kind: 'override',
    pattern:
      /\b(?:ignore|disregard|forget) (?:everything|all|anything)(?: \w+){0,3} (?:above|before this|previously|you (?:were|have been) told)\b/,
  },
  {
    kind: 'override',
    pattern:
      /\b(?:ignorier\w*|vergiss|missachte\w*)(?: \w+){0,3} (?:vorherigen|bisherigen|vorigen|obigen|früheren) (?:anweisungen|instruktionen|regeln)/u,
  },
  {
    kind: 'override',
    pattern:
      /\b(?:ignorez?|oubliez?)(?: \S+){0,3} (?:instructions|consignes|directives) (?:précédentes|antérieures|ci-dessus)/u,
  },
  {
    kind: 'override',
    pattern:
      /\b(?:ignora|ignore|olvida|olvide)(?: \S+){0,3} (?:instrucciones|instruções|istruzioni) (?:anteriores|previas|precedenti)/u,
  },
  {
    kind: 'override',
    pattern:
      /(?:忽略|无视|忘记)(?:掉)?(?:所有|全部|任何)?(?:之前|以上|先前|上述|此前|上面)(?:的)?(?:所有|全部|任何)?(?:的)?(?:指令|指示|提示|说明)/u,
  },
  {
    kind: 'override',
    pattern: /(?:以前|これまで|上記|前)の(?:すべての|全ての)?(?:指示|命令|プロンプト)を(?:すべて|全て)?無視/u,
  },
  {
    kind: 'override',
    pattern:
      /(?:игнорируй(?:те)?|забудь(?:те)?)(?: [а-яё]+){0,3} (?:предыдущие|прежние|вышеуказанные) (?:инструкции|указания)/u,
  },
  {
    kind: 'role',
    pattern:
      /\byou are (?:now|no longer)(?: \w+){0,2} (?:dan\b|developer mode|jailbr\w+|unrestricted|unfiltered|uncensored|bound by|restricted by|an? (?:\w+ ){0,3}(?:ai|assistant|agent|chatbot|language model|llm)\b)/,
  },
  {
    kind: 'role',
    pattern:
      /\byou are now (?:dan\b|in (?:\w+ )?(?:developer|god|admin|debug|jailbreak|unrestricted) mode|free (?:of|from) (?:your|all|any))/,
  },
  {
    kind: 'role',
    pattern:
      /\b(?:act|behave|respond|pretend)(?: \w+){0,3} (?:without (?:any )?(?:restrictions|limits|guidelines|filters)|you have no (?:restrictions|rules|guidelines|limits))/,
  },
  { kind: 'role', pattern: /\b(?:new|updated|revised|real|actual) system (?:prompt|message|instructions?) ?[:=-]/ },
  {
    kind: 'role',
    pattern:
      /\bif you are an? (?:\w+ ){0,2}(?:ai|llm|language model|assistant|agent|chatbot)\b[^.]{0,60}\b(?:must|ignore|execute|run|send|stop|instead)\b/,
  },
  { kind: 'turn', raw: true, pattern: /[<‹]\|(?:im_start|start_header_id)\|> ?(?:system|user|assistant)\b/i },
  {
    kind: 'turn',
    raw: true,
    pattern: /[<‹](?:antml:)?(?:invoke name=|(?:function_calls|tool_call|tool_use)>\s*[{<‹])/i,
  },
  { kind: 'turn', raw: true, pattern: /[<‹]\/?system-reminder>/i },
  {
    kind: 'exfiltration',
    pattern: new RegExp(
      `\\b(?:send|post|upload|exfiltrate|email|e-mail|forward|leak|transmit|submit|paste)(?: [^ ]+){0,5} ${secrets}(?: [^ ]+){0,5} (?:to|at|via|in) (?:https?://|the following|this (?:url|address|server|endpoint|webhook)|[^ @]+@[^ ]+\\.)`,
    ),
  },
  {
    kind: 'exfiltration',
    pattern: new RegExp(`\\b(?:exfiltrate|steal|leak)(?: [^ ]+){0,5} ${secrets}`),
  },
  {
    kind: 'exfiltration',
    pattern:
      /\b(?:curl|wget)\b[^|;]{0,150}(?:id_rsa|id_ed25519|\.ssh\/|\.aws\/credentials|\/etc\/passwd|[@/]\.env\b|\$\((?:env|printenv|set|cat [~/]))/,
  },
  {
    kind: 'exfiltration',
    pattern:
      /\b(?:reveal|print|repeat|output|show|display|recite)(?: \w+){0,3} your (?:\w+ )?(?:system prompt|system message|(?:hidden|initial|original|secret) instructions)/,
  },
  {
    kind: 'secrecy',
    pattern:
      /\b(?:do not|don['’]t|never|without)(?: \w+){0,2} (?:tell|telling|mention\w*|inform\w*|notify\w*|alert\w*|reveal\w*)(?: \w+){0,3} (?:to )?the (?:user|human|person|developer|operator)\b/,
  },
];

/** Words that one of them needs, so that plain text is seen to have none at once. */
export const trigger =
  /ignor|disregard|forget|override|bypass|skip|discard|follow|vergiss|missacht|oubli|olvid|you are|act |behave|respond|pretend|system|im_start|start_header|invoke|function_calls|tool_call|tool_use|send|post|upload|exfiltrat|e-?mail|forward|leak|transmit|submit|paste|steal|curl|wget|reveal|print|repeat|output|show|display|recite|tell|mention|inform|notify|alert/i;
