/** What a path asks for: with generateContent, the model and whether the reply is streamed are in it and not in the body. */

export interface Address {
  model: string;
  method: 'generateContent' | 'streamGenerateContent' | 'countTokens';
}

/** Any version of the API, behind any prefix that a proxy may add. */
const pattern =
  /^(?:\/.*)?\/v1(?:alpha|beta)?(?:\/.*)?\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

/** Undefined when the path isn't one of this API. */
export function addressOf(path: string): Address | undefined {
  const [, model, method] = pattern.exec(path) ?? [];
  if (model === undefined || method === undefined) return undefined;
  return { model: decoded(model), method: method as Address['method'] };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not percent-encoded: it is meant as it stands
  }
}
