import type { Family } from './family.ts';

/** Open weights behind many servers: several calls in one reply, or a call written as text, are where they fail first. */
export const open: Family = {
  models:
    /^(?:gpt-oss|qwen|qwq|llama|codellama|mistral|devstral|codestral|magistral|deepseek|glm|kimi|gemma|phi|granite|minimax|nemotron|starcoder)/,
  fragments: {
    work: {
      cap: 140,
      text: `# Work
- Look before you change: read what you will edit and what depends on it; look up names and conventions instead of guessing.
- Fix the cause with the smallest correct change, in the style around it. No unrelated edits, new dependencies or leftovers.
- Call tools through the tool interface, never as text, and wait for a result before you build on it. Any call may have \`time_limit\` in seconds.
- After a change run the narrowest test that could prove it wrong, then the project's checks. When something fails, read the message and rethink; don't repeat a failed call.`,
    },
  },
};
