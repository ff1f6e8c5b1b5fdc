export const description =
  'Load a web page as Markdown, or text as it is. Only hosts that the user allowed; no login, no scripts.';
