/** Whether commands are confined, for the model. */
export const sandboxTexts = {
  on: 'Commands run in a sandbox: they write only in the workspace and temporary folders, see no home folder and no secrets, and have no network. If one fails for that, say what is missing.',
  off: 'Commands run without a sandbox, with all rights of the user.',
};

const mostHosts = 20;

/** The sandbox as it is with hosts that the user granted. */
export function sandboxText(hosts: readonly string[] = []): string {
  if (hosts.length === 0) return sandboxTexts.on;
  const more = hosts.length > mostHosts ? `, and ${hosts.length - mostHosts} more` : '';
  const reached = `reach only ${hosts.slice(0, mostHosts).join(', ')}${more}, through the proxy in HTTP_PROXY`;
  return sandboxTexts.on.replace('have no network', reached);
}
