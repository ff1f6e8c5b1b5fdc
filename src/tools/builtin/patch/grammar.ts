/**
 * The format as a grammar for providers that hold a model to one. It is narrower than what is read: no wrappings, `@@` before every hunk,
 * and no empty line without a sign. Regular expressions without look-around, as those providers take them.
 */
const definition = String.raw`start: begin file+ end
begin: "*** Begin Patch" LF
end: "*** End Patch" LF?
file: add | delete | update
add: "*** Add File: " PATH LF added*
delete: "*** Delete File: " PATH LF
update: "*** Update File: " PATH LF (move hunk* | hunk+)
move: "*** Move to: " PATH LF
hunk: ("@@" LF | anchor+) line+ last?
anchor: "@@ " ANCHOR LF
added: ADDED LF
line: LINE LF
last: "*** End of File" LF
PATH: /[^\/\s][^\r\n]*/
ANCHOR: /[^\n]+/
ADDED: /\+[^\n]*/
LINE: /[ +-][^\n]*/
LF: /\n/
`;

export const grammar = { syntax: 'lark', definition } as const;
