export const description = 'Find files by glob, sorted by path. Ignored files are left out.';
