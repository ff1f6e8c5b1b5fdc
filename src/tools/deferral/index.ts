/** Tools that the model isn't told of at once: how they are found and called. */
export { createFindTools } from './find-tools/index.ts';
export { findToolsName, useToolName } from './names.ts';
export { createToolSearch } from './search.ts';
export { useTool } from './use-tool/index.ts';
