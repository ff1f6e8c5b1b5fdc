/** The inner door to Git. */
export { createGit, type Git, type GitOptions, type GitResult } from './git.ts';
export { findGitPlace, isGitFolder, readSmall, type GitPlace } from './place.ts';
