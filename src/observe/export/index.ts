/** The door of the exports: one format a file, all made of the same steps. */
import { asAtif } from './atif.ts';
import { asClaude } from './claude.ts';
import { asCodex } from './codex.ts';
import { asGemini } from './gemini.ts';
import { asHtml } from './html.ts';
import { asJson } from './json.ts';
import { asMarkdown } from './markdown.ts';
import { asOpencode } from './opencode.ts';
import { asPi } from './pi.ts';
import type { ExportFormat } from '../export-formats.ts';
import type { Trajectory } from './trajectory.ts';

export { trajectoryOf } from './steps.ts';

/** The text of an export, in pieces. */
export const exporters: { readonly [format in ExportFormat]: (trajectory: Trajectory) => Iterable<string> } = {
  markdown: asMarkdown,
  html: asHtml,
  json: asJson,
  atif: asAtif,
  claude: asClaude,
  codex: asCodex,
  opencode: asOpencode,
  pi: asPi,
  gemini: asGemini,
};
