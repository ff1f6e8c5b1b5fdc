/** The tools that deferral itself brings. */
export const findToolsName = 'find_tools';
export const useToolName = 'use_tool';
