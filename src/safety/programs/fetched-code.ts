/** Code in an argument that fetches code by itself and runs it, as far as its words say so. */
import type { Word } from './invocation.ts';

const fetches =
  /\b(?:urlopen|requests\.get|httpx\.get|axios|open-uri|URI\.open|Net::HTTP|LWP|iwr|irm|Invoke-WebRequest|Invoke-RestMethod|DownloadString)\b|\b(?:fetch|get|file_get_contents|require|import)\s*\(?\s*["'`]https?:/i;
const runs = /(?<![.\w])(?:eval|exec|iex|Invoke-Expression|new Function)\b/i;

/** The code that it fetches, as one more word. */
export function fetchedBy({ text, source }: Word): Word[] {
  if (text === null || !fetches.test(text) || !runs.test(text)) return [];
  return [{ source, text: null, from: ['https'], leads: ['https'] }];
}
