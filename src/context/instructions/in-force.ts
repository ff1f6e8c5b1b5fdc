/** Which instruction files a request has in force. Nobody keeps count: what its conversation holds is what counts. */
import type { InstructionData, InstructionFile, View } from '../../core/index.ts';

type Told = Pick<InstructionData['instructions'], 'files' | 'gone'>;
export type Seen = Pick<View, 'setup' | 'transcript'>;

/**
 * The files in force, by path, in the order in which they came: what the setup has, then what the conversation holds of them. What a
 * compaction took out of the conversation is in force no longer.
 */
export function inForce({ setup, transcript }: Seen): Map<string, InstructionFile> {
  const standing = setup?.instructions;
  return foldTold([...(standing === undefined ? [] : [standing]), ...toldIn(transcript)]);
}

/** Those that are in force by the conversation alone, whatever stands before it. */
export function inForceByConversation(transcript: View['transcript']): Map<string, InstructionFile> {
  return foldTold(toldIn(transcript));
}

export function toldIn(transcript: View['transcript']): Omit<InstructionData['instructions'], 'text'>[] {
  return transcript.segments.flatMap(({ texts }) => texts.flatMap(({ instructions }) => instructions ?? []));
}

const textOf = ({ path, hash }: Pick<InstructionFile, 'path' | 'hash'>): string => `${hash} ${path}`;

/** Of several texts of a file the last counts; one that is only pointed to counts while it is there. */
function foldTold(told: readonly Told[]): Map<string, InstructionFile> {
  const texts = new Set<string>();
  const now = new Map<string, InstructionFile>();
  for (const { files, gone = [] } of told) {
    for (const file of files) {
      if (file.before !== true) texts.add(textOf(file));
      now.delete(file.path);
      now.set(file.path, file);
    }
    for (const path of gone) now.delete(path);
  }
  for (const file of now.values()) if (!texts.has(textOf(file))) now.delete(file.path);
  return now;
}

/** Whether the very text of a file is in the request already, in force or not. */
export function isTextThere({ setup, transcript }: Seen, file: Pick<InstructionFile, 'path' | 'hash'>): boolean {
  const all = [...(setup?.instructions?.files ?? []), ...toldIn(transcript).flatMap(({ files }) => files)];
  return all.some((each) => each.before !== true && textOf(each) === textOf(file));
}
