export const description = 'New output of a job, after typing input and awaiting a regex. No id: all jobs.';
