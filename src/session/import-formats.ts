/** The harnesses whose session files can be imported. */
export const importFormats = ['claude', 'codex', 'pi'] as const;

export type ImportFormat = (typeof importFormats)[number];
