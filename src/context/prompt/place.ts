export interface Place {
  /** The real path of the workspace. */
  workspace: string;
  /** `linux`, `darwin`. */
  platform: string;
  /** The day as YYYY-MM-DD: a time would break the cache with each session. */
  date: string;
}

export function placeText({ workspace, platform, date }: Place): string {
  return `Workspace: ${shown(workspace)}; relative paths start there. Platform: ${platform}. Date: ${date}.`;
}

/** A folder's name can hold line breaks, which must not look like lines of this prompt. */
function shown(path: string): string {
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(path) ? JSON.stringify(path) : path;
}
