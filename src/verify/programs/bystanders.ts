/** What may stand before a check in a line and changes nothing of what it checks: it looks, says something, or fetches and builds. Data. */

const names = new Set(
  ': true test [ echo printf pwd sleep date ls cat head tail wc grep rg diff cmp stat file du which type uname whoami mkdir nproc'.split(
    ' ',
  ),
);

/** By all words of the command. */
const commands: readonly RegExp[] = [
  /^git (?:status|diff|log|show|rev-parse|ls-files|describe|add|commit|fetch|branch)\b/,
  /^(?:npm|pnpm|yarn|bun) (?:ci|install|i|add|up|update|upgrade|audit|ls|list|outdated)\b/,
  /^(?:yarn|corepack enable|nvm use( \S+)?)$/,
  /^(?:python3? -m )?(?:pip3?|uv pip|uv|poetry|pipenv|pdm|rye|conda) (?:install|sync|lock|update|add)\b/,
  /^python3? -m venv \S+$/,
  /^(?:\.|source) \S*\/?bin\/activate$/,
  /^(?:bundle|composer|mix|dotnet|swift package|cargo|go mod|gem|apt-get|apt|brew) (?:install|update|restore|resolve|fetch|download|tidy|deps\.get)\b/,
  /^(?:npx )?playwright install\b/,
  /^(?:make|ninja|cmake)\b/,
  /^rm (?:-\w+ )*(?:(?:\S*\/)?(?:dist|build|coverage|target|node_modules|out|__pycache__|\.next|\.cache|\.turbo|\.pytest_cache|\.mypy_cache)\/? ?)+$/,
  /^[\w./-]+ (?:--version|-v|-V)$/,
  /^set(?: -(?:[eux]*o (?:pipefail|errexit|nounset|xtrace)|[eux]+))+$/,
  /^export (?:\w+=\S* ?)+$/,
];

export function isBystander(words: readonly string[]): boolean {
  return names.has(words[0] ?? '') || commands.some((pattern) => pattern.test(words.join(' ')));
}
