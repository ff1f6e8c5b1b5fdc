/** Where Reins can run. Also loaded by a Node that is too old for the rest. */

/** Why this platform is refused, with the way out; undefined where all is well. */
export function platformRefusal(platform: string, nodeVersion: string): string | undefined {
  if (platform === 'win32') {
    return 'Native Windows is not supported. Run Reins inside WSL: https://learn.microsoft.com/windows/wsl/install';
  }
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return undefined;
  return `Node ${nodeVersion} is too old: Reins needs 22.19 or newer. The command \`reins\` (bin/reins) finds one by itself.`;
}
