const first = 'Change files by one patch, all of it or nothing';
const last = 'Where lines repeat, `@@ line` gives a whole line above them.';

export const description = `${first}:
*** Begin Patch
*** Update File: path
@@
 kept line
-old line
+new line
*** Add File: path
+line
*** Delete File: path
*** End Patch
Read files first; lines must match exactly. \`*** Move to: path\` can follow Update File. ${last}`;

/** Where a grammar holds the model to the form. */
export const withGrammar = `${first}. Read files first; lines must match exactly. ${last}`;
