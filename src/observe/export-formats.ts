/** The names of the export formats. */
export const exportFormats = [
  'markdown',
  'html',
  'json',
  'atif',
  'claude',
  'codex',
  'opencode',
  'pi',
  'gemini',
] as const;

export type ExportFormat = (typeof exportFormats)[number];
