/** Whether commands are confined, for the model. */
export const sandboxTexts = {
  on: "Commands run in a sandbox: they write only in the workspace and temporary folders, see neither the home folder nor secrets, and have no network. When one fails for that, don't work around it; say what is missing.",
  off: 'Commands run without a sandbox, with all rights of the user.',
};
