import type { Family } from './family.ts';

/** They like to leave comments in the code that tell of the change. */
export const google: Family = {
  models: /^gemini/,
  fragments: {
    work: {
      cap: 145,
      text: `# Work
- Look before you change: read what you will edit and what depends on it; look up names and conventions instead of guessing.
- Fix the cause with the smallest correct change, in the style around it. No unrelated edits, new dependencies, leftovers or comments about the change.
- Put independent calls into one reply. Any call may have \`wait_for_previous: true\` to wait for those before it, and \`time_limit\` in seconds.
- After a change run the narrowest test that could prove it wrong, then the project's checks. When something fails, read the message and rethink; don't repeat a failed call.`,
    },
  },
};
