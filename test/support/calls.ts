/** Calls of the tools of files and commands, as a scripted model makes them. */
export const shell = (command: string) => ({ name: 'shell', arguments: { command } });
export const read = (path: string) => ({ name: 'read', arguments: { path } });
export const write = (path: string, content: string) => ({ name: 'write', arguments: { path, content } });
export const edit = (path: string, old: string, replacement: string) => ({
  name: 'edit',
  arguments: { path, old, new: replacement },
});
