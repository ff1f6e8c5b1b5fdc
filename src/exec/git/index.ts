/** The inner door to Git. */
export { copyRepository, type RepositoryCopy } from './copy.ts';
export { ownFiles } from './armed.ts';
export { ConfigurationReader, stampOf } from './configuration.ts';
export { createGitFacts, type GitFacts } from './facts.ts';
export { createGit, type Git, type GitOptions, type GitResult } from './git.ts';
export { NestedRepositories } from './nested.ts';
export { findGitPlace, isGitFolder, readSmall, type GitPlace } from './place.ts';
