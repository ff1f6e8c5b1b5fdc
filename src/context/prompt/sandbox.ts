/** Whether commands are confined, for the model. */
export const sandboxTexts = {
  on: 'Commands run in a sandbox: they write only in the workspace and temporary folders, see no home folder and no secrets, and have no network. If one fails for that, say what is missing.',
  off: 'Commands run without a sandbox, with all rights of the user.',
};
