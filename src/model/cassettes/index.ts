/** The door of cassettes: exchanges recorded, and played back. Loaded only where one of the two is asked for. */
export type { Cassette } from './cassette.ts';
export { readRecording } from './folder.ts';
export { createNormaliser, type Normaliser, type Surroundings } from './normalise.ts';
export { placesEditor } from './places.ts';
export { openRecordingFolder, recordingTransport, type RecordingFolder, type RecordingOptions } from './recording.ts';
export { replayTransport, type ReplayOptions } from './replay.ts';
export { edited, type Editor } from './edits.ts';
export { withoutPauses } from './without-pauses.ts';
