/** Characters of a command that are shown; the checks that run are whole. */
const longestCommand = 200;
const mostCommands = 10;

/** What decides at the end, for the model. */
export function checksText(commands: readonly string[] | 'waived'): string {
  if (commands === 'waived') return 'The user has waived the checks: verify the work yourself and say how.';
  if (commands.length === 0) {
    return 'No checks are set: find out how this project verifies its work, run that yourself and say so.';
  }
  const shown = commands.slice(0, mostCommands).map(quoted);
  const more = commands.length > mostCommands ? [`and ${commands.length - mostCommands} more`] : [];
  return `Checks that must exit with 0: ${[...shown, ...more].join(', ')}.`;
}

function quoted(command: string): string {
  const line = command.replace(/\s+/g, ' ').trim();
  return `\`${line.length > longestCommand ? `${line.slice(0, longestCommand).toWellFormed()}...` : line}\``;
}
