export const description = 'Search file contents with a regex (ripgrep syntax). Ignored files are left out.';
