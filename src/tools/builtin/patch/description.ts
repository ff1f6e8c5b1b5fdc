export const description = `Change files by one patch, all of it or nothing:
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
Read files first; lines must match exactly. \`*** Move to: path\` can follow Update File. Where lines repeat, \`@@ line\` gives a whole line above them.`;
