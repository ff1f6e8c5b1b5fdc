/** The door of the session: the record on disk. */
export { Blobs } from './blobs.ts';
export { Branches } from './branches.ts';
export { deliver } from './deliver.ts';
export { follow } from './follow.ts';
export { sessionFolder } from './folders.ts';
export { fork } from './fork.ts';
export type { Formats, UpCast } from './formats.ts';
export { drop, type Delivery, type Inbox } from './inbox.ts';
export { draftOf, type InboxMessage } from './inbox-message.ts';
export { find } from './find.ts';
export { held, latest, list, summarise, titleOf, type SessionSummary } from './list.ts';
export { isLocked } from './lock.ts';
export { openLogHandle, type OpenLogHandle } from './log-handle.ts';
export { readEntries, readLog } from './read.ts';
export { previousBody, rebuildRequest } from './requests.ts';
export { createSession, openSession, type Session } from './session.ts';
export { isOnePath, pathOf, readEvent, scan } from './skeleton.ts';
export { verify } from './verify.ts';
