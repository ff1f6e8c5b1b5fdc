export const description = 'Ask the user what only they can decide. If nobody answers, default counts.';
