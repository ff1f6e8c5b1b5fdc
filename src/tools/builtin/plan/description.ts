export const description = 'Set your task list, always whole: [ ] open, [>] doing, [x] done.';
