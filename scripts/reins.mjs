// Runs the command line from its source. Written so that an old Node can read it, and say that it is too old.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `reins: Node ${process.versions.node} is too old; 22.19 or newer is needed. On Linux, npm ci brings one along: use npm run.`,
  );
  process.exit(2);
}
await import('../src/surfaces/cli/main.ts');
