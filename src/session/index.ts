/** The door of the session: the record on disk. */
export { Blobs } from './blobs.ts';
export type { BlobWriter } from './blob-writer.ts';
export { deliver, type Delivered, type DeliverOptions } from './deliver.ts';
export { follow } from './follow.ts';
export { sessionFolder } from './folders.ts';
export { fork, type ForkOptions } from './fork.ts';
export type { Formats, UpCast } from './formats.ts';
export { drop, type Delivery, type Inbox, type Rejection } from './inbox.ts';
export { draftOf, type InboxMessage, type MessageName } from './inbox-message.ts';
export { find, latest, list, type SessionSummary } from './list.ts';
export { isLocked } from './lock.ts';
export { openLogHandle, type LogHandle, type OpenLogHandle } from './log-handle.ts';
export { readEntries, readLog } from './read.ts';
export type { Entry } from './decoder.ts';
export { previousBody, rebuildRequest, type RebuiltRequest } from './requests.ts';
export { createSession, openSession, type Session, type SessionStart } from './session.ts';
export { pathOf, readEvent, scan, type Skeleton } from './skeleton.ts';
export { verify, type Finding, type Verification } from './verify.ts';
