export const description =
  'See what matters in the code: files with the lines that define their symbols, ranked by who mentions them and by `query` (names, or words) and `paths`. `tokens`: how much.';
