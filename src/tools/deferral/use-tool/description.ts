/** Without “unless”, a model whose list grows calls the long way round what it can call by name. */
export const description = 'Call a tool that find_tools has found, unless it is in your list now.';
