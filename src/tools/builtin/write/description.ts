export const description =
  'Create a file, or replace one whose whole present content was read. Content is written exactly as given. To change a part, use edit.';
