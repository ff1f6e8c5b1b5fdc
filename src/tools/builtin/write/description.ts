export const description = 'Create a file, or replace one that was read whole. For parts use edit.';
