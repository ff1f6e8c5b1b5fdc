/** The door of the commands: each in a file of its own, loaded only when it is used. */
import type { Command } from '../command.ts';

const loaders: { [name: string]: () => Promise<{ command: Command }> } = {
  run: () => import('./run.ts'),
  init: () => import('./init.ts'),
  resume: () => import('./resume.ts'),
  log: () => import('./log.ts'),
  audit: () => import('./audit.ts'),
  handoff: () => import('./handoff.ts'),
  ledger: () => import('./ledger.ts'),
  sessions: () => import('./sessions.ts'),
  search: () => import('./search.ts'),
  title: () => import('./title.ts'),
  prune: () => import('./prune.ts'),
  undo: () => import('./undo.ts'),
  redo: () => import('./redo.ts'),
  rewind: () => import('./rewind.ts'),
  fork: () => import('./fork.ts'),
  branch: () => import('./branch.ts'),
  tree: () => import('./tree.ts'),
  diff: () => import('./diff.ts'),
  compact: () => import('./compact.ts'),
  export: () => import('./export.ts'),
  import: () => import('./import.ts'),
  say: () => import('./say.ts'),
  answer: () => import('./answer.ts'),
  cancel: () => import('./cancel.ts'),
  jobs: () => import('./jobs.ts'),
  grants: () => import('./grants.ts'),
  memory: () => import('./memory.ts'),
  profiles: () => import('./profiles.ts'),
  config: () => import('./config.ts'),
  trust: () => import('./trust.ts'),
  models: () => import('./models.ts'),
  doctor: () => import('./doctor.ts'),
  policy: () => import('./policy.ts'),
  context: () => import('./context.ts'),
  map: () => import('./map.ts'),
  capture: () => import('./capture.ts'),
  rehearse: () => import('./rehearse.ts'),
  demo: () => import('./demo.ts'),
};

/** In the order in which they are listed. */
export const commandNames: readonly string[] = Object.keys(loaders);

/** What `reins` does on a terminal without a command. */
export async function loadConversation(): Promise<Command> {
  return (await import('./conversation.ts')).command;
}

export async function loadCommand(name: string): Promise<Command | undefined> {
  if (!commandNames.includes(name)) return undefined;
  return (await loaders[name]?.())?.command;
}
