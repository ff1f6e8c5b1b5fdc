export const description = 'Create a file, or replace one that was read whole. Change parts by an edit.';
