/** Keys out of what is recorded: values that are known to be secret, and whatever has the shape of a key. */
import { keyShapes } from '../failures/index.ts';
import type { Edit, Editor } from './edits.ts';

export const redacted = '[key]';

/** Shapes of keys that don’t come from providers of models, but that a conversation may hold. */
const otherShapes: readonly RegExp[] = [
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** Names in code look like keys (`key_derivation_function`); a key has a digit in it. */
const hasDigit = /\d/;

/** Marks what must not be written down. A secret is also found as it is written inside of a JSON text or of an address. */
export function secretsEditor(known: readonly string[]): Editor {
  const written = known.flatMap((secret) => {
    const inJson = JSON.stringify(secret).slice(1, -1);
    return [secret, inJson, inJson.replaceAll('/', String.raw`\/`), encodeURIComponent(secret.toWellFormed())];
  });
  const secrets = [...new Set(written)].filter((secret) => secret !== '');
  return (text) => joined([...secrets.flatMap((secret) => placesOf(text, secret)), ...shapesIn(text)]);
}

function placesOf(text: string, secret: string): Edit[] {
  const found: Edit[] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    found.push({ start: at, end: at + secret.length, with: redacted });
  }
  return found;
}

function shapesIn(text: string): Edit[] {
  return [...keyShapes, ...otherShapes].flatMap((shape) =>
    [...text.matchAll(shape)].flatMap(({ 0: key, index }) =>
      hasDigit.test(key) || key.startsWith('-----') ? [{ start: index, end: index + key.length, with: redacted }] : [],
    ),
  );
}

/** In order, what overlaps made one. */
function joined(edits: Edit[]): Edit[] {
  const result: Edit[] = [];
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || edit.start >= last.end) result.push({ ...edit });
    else last.end = Math.max(last.end, edit.end);
  }
  return result;
}
