/** Secrets that are known by their form, as data. */
import { entropy, isRandom } from './ordinary.ts';

export interface Shape {
  kind: string;
  /** How it begins, each of at least three characters: all beginnings are searched for at once. */
  begins: readonly string[];
  /** The secret itself begins so: text that ends in a part of a beginning may end in the start of a secret. */
  opens?: true;
  /** The whole of it from where it begins; the secret is the group `secret`, or all. Every repetition has a bound. */
  pattern: RegExp;
  /** Whether what was found is one. */
  proof?: (secret: string) => boolean;
  /** Where the form is written down. */
  source: string;
}

/** `(?<![...])`: each run of such characters is looked at once, however often the beginning stands in it. */
const apart = '(?<![A-Za-z0-9_-])';
const end = '(?![A-Za-z0-9_-])';

function token(kind: string, begins: readonly string[], rest: string, source: string): Shape {
  const beginning = begins.map((each) => each.replaceAll('.', '[.]')).join('|');
  const pattern = new RegExp(`${apart}(?:${beginning})${rest}${end}`, 'y');
  return { kind, begins, opens: true, pattern, proof: isVaried, source };
}

/** What stands for a secret in documents and tests says so: `xxxx`, `EXAMPLE`, `your-key-here`. */
function isVaried(secret: string): boolean {
  if (/example|dummy|placeholder|redacted|your|fake|test-?(?:key|token)|x{6}|\*{3}|0{8}|1234567/i.test(secret))
    return false;
  return entropy(secret.slice(-32)) >= 3;
}

const assignedNames = (
  'password Password PASSWORD passwd Passwd PASSWD secret Secret SECRET token Token TOKEN api_key apikey apiKey ApiKey API_KEY APIKEY ' +
  'access_key accesskey accessKey AccessKey ACCESS_KEY ACCESSKEY'
).split(' ');

export const shapes: readonly Shape[] = [
  token(
    'aws-key-id',
    ['AKIA', 'ASIA'],
    '[A-Z2-7]{16}',
    'docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html',
  ),
  token(
    'github-token',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    '[A-Za-z0-9]{36,251}',
    'github.blog/2021-04-05-behind-githubs-new-authentication-token-formats',
  ),
  token(
    'github-token',
    ['github_pat_'],
    '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}',
    'docs.github.com/authentication: fine-grained tokens',
  ),
  token(
    'gitlab-token',
    ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glsoat-', 'glcbt-'],
    '[A-Za-z0-9_.-]{20,300}',
    'docs.gitlab.com/security/tokens: token prefixes',
  ),
  token(
    'slack-token',
    ['xoxa-', 'xoxb-', 'xoxe-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    '[A-Za-z0-9-]{20,250}',
    'docs.slack.dev/authentication/tokens',
  ),
  token('stripe-key', ['sk_live_', 'rk_live_'], '[A-Za-z0-9]{20,247}', 'docs.stripe.com/keys'),
  token('anthropic-key', ['sk-ant-'], '[A-Za-z0-9_-]{24,200}', 'docs.anthropic.com: keys begin with sk-ant-'),
  {
    ...token(
      'openai-key',
      ['sk-'],
      '(?!ant-)(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{32,250}',
      'platform.openai.com: keys begin with sk-',
    ),
    proof: (secret) => isVaried(secret) && isRandom(secret) && !/^(?:[A-Za-z]+-){3}/.test(secret),
  },
  token('google-key', ['AIza'], '[A-Za-z0-9_-]{35}', 'cloud.google.com/docs/authentication/api-keys'),
  token('google-oauth-token', ['ya29.'], '[A-Za-z0-9_.-]{30,1000}', 'developers.google.com/identity/protocols/oauth2'),
  token('npm-token', ['npm_'], '[A-Za-z0-9]{36}', 'github.blog/2021-09-23-announcing-npms-new-access-token-format'),
  token('pypi-token', ['pypi-'], 'AgE[A-Za-z0-9_-]{50,500}', 'pypi.org/help/#apitoken'),
  token('hugging-face-token', ['hf_'], '[A-Za-z]{34}', 'huggingface.co/docs/hub/security-tokens'),
  token('sendgrid-key', ['SG.'], '[A-Za-z0-9_-]{22}[.][A-Za-z0-9_-]{43}', 'docs.sendgrid.com: keys have 69 characters'),
  {
    kind: 'json-web-token',
    begins: ['eyJ'],
    opens: true,
    pattern: new RegExp(
      `${apart}eyJ[A-Za-z0-9_-]{8,1500}[.]eyJ[A-Za-z0-9_-]{8,12000}[.][A-Za-z0-9_-]{16,1500}${end}`,
      'y',
    ),
    proof: hasHeader,
    source: 'RFC 7519 section 3.1',
  },
  {
    kind: 'url-password',
    begins: ['://'],
    pattern: /:\/\/[^\s:@/"'`<>\\[\]{}$]{0,100}:(?<secret>[^\s:@/"'`<>\\[\]{}$?;,()|]{3,200})@[A-Za-z0-9[]/y,
    proof: (secret) =>
      !/^(?:pass(?:word|wd)?|pw|pwd|user(?:name)?|secret|token|x+|\*+|\.+|%s|postgres|root|admin|example|test|guest)$/i.test(
        secret,
      ),
    source: 'RFC 3986 section 3.2.1',
  },
  {
    kind: 'authorization',
    begins: ['Bearer ', 'bearer ', 'Basic ', 'basic '],
    pattern:
      /(?<=[Aa]uthorization["']?\s{0,3}[:=,]\s{0,3}["'`]?)(?:[Bb]earer|[Bb]asic) {1,3}(?<secret>[A-Za-z0-9._~+/=-]{16,8000})/y,
    proof: isVaried,
    source: 'RFC 6750 section 2.1, RFC 7617',
  },
  {
    kind: 'twilio-key',
    begins: Array.from('0123456789abcdef', (digit) => `SK${digit}`),
    opens: true,
    pattern: /(?<=[Tt](?:wilio|WILIO)[^\n]{0,60})\bSK[0-9a-f]{32}\b/y,
    source: 'twilio.com/docs/iam/api-keys',
  },
  {
    kind: 'azure-key',
    begins: ['AccountKey=', 'SharedAccessKey=', '?sig=', '&sig='],
    pattern: /(?:(?:Account|SharedAccess)Key=|[?&]sig=)(?<secret>[A-Za-z0-9+/%]{40,100}={0,2})/y,
    proof: isRandom,
    source: 'learn.microsoft.com/azure/storage/common/storage-configure-connection-string',
  },
  {
    kind: 'assigned',
    begins: assignedNames,
    pattern: new RegExp(
      `(?:${assignedNames.join('|')})` +
        String.raw`(?:_?[A-Za-z0-9]{0,12})["']?\s{0,3}(?::=|=>|[:=])\s{0,3}(?:["'\u0060](?<secret>[A-Za-z0-9+/=_.~!@#%^&*-]{16,256})["'\u0060]|(?<plain>[A-Za-z0-9+/=_~-]{20,256})(?=[\s;,]|$))`,
      'y',
    ),
    proof: isAssigned,
    source: 'none: a name of a secret and a value that chance has made',
  },
];

function hasHeader(token: string): boolean {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    return typeof header === 'object' && header !== null && 'alg' in header;
  } catch {
    return false;
  }
}

/** Only what has letters of both cases and digits in disorder, or is a long number in base 16: names and sentences are neither. */
function isAssigned(secret: string): boolean {
  if (!isVaried(secret) || /^(?:sha\d+-|[a-z]+[:/.])/i.test(secret)) return false;
  if (/^[0-9a-f-]+$/i.test(secret))
    return /\d/.test(secret) && /[a-f]/i.test(secret) && secret.length >= 32 && entropy(secret) >= 3;
  const digits = secret.match(/\d/g)?.length ?? 0;
  return (
    digits >= 3 &&
    /[a-z]/.test(secret) &&
    /[A-Z]/.test(secret) &&
    entropy(secret) >= 3.7 &&
    turns(secret) >= secret.length / 4
  );
}

/** How often a character is of another sort than the one before it. */
function turns(text: string): number {
  const sorts = Array.from(text, (each) => (/[a-z]/.test(each) ? 0 : /[A-Z]/.test(each) ? 1 : /\d/.test(each) ? 2 : 3));
  return sorts.filter((sort, index) => index > 0 && sort !== sorts[index - 1]).length;
}

/** Characters that a shape may have, and those before a secret that its shape looks at. */
export const longestShape = 16_384;
export const longestContext = 300;
/** What stands in no secret that has a shape, so that text can be taken apart there. */
export const dividers = /[\s:>?;,"'`()[\]{}<|$\\]/;
