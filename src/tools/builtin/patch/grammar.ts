/**
 * The format as a grammar for providers that hold a model to one. It is narrower than what is read: no wrappings, `@@` before every hunk,
 * and no empty line without a sign. Regular expressions without look-around, as those providers take them. Each request carries it.
 */
const definition = String.raw`start: "*** Begin Patch" LF file+ "*** End Patch" LF?
file: "*** Add File: " PATH LF (ADD LF)* | "*** Delete File: " PATH LF | "*** Update File: " PATH LF ("*** Move to: " PATH LF hunk* | hunk+)
hunk: ("@@" LF | ("@@ " TEXT LF)+) (LINE LF)+ ("*** End of File" LF)?
PATH: /[^\/\s][^\r\n]*/
TEXT: /[^\n]+/
ADD: /\+[^\n]*/
LINE: /[ +-][^\n]*/
LF: /\n/
`;

export const grammar = { syntax: 'lark', definition } as const;
