/** Control characters made visible: what a terminal would obey is shown instead. */

/**
 * Line ends become LF; every other control character but the tab becomes its picture (U+2400 and on) or its number, and half a
 * surrogate pair the replacement mark. What comes out is safe to print and to store as JSON.
 */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, picture);
}

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : `\\x${code.toString(16)}`;
}

/** Takes out the sequences that colour text or move the cursor (ECMA-48), which say nothing to a model. */
export function withoutEscapes(text: string): string {
  // Strings (title, link) up to their terminator; then CSI; then the two- and three-character sequences.
  return text
    .replaceAll(/\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)/g, '')
    .replaceAll(/\x1b\[[0-?]*[ -/]*[@-~]/g, '')
    .replaceAll(/\x1b[ -/]*[0-Z\\^-~]/g, '');
}

/** A piece of live output, safe to print: what follows may complete it, so nothing but single characters is judged. */
export function withoutControls(delta: string): string {
  return visible(delta.replaceAll('\r', ''));
}
