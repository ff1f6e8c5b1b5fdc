/** Recordings on disk: which files are some, what events they hold, how many replies, and of which wire. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Json, JsonObject } from '../../core/index.ts';
import { isObject, objectOf, objectsIn, textOf, type RecordedEvent } from './reading.ts';

export interface RecordingFile {
  path: string;
  /** Relative to the folder that was asked for, with slashes. */
  name: string;
  /** What the folders say of its wire. */
  wire?: string;
  /** Why it can’t be read; a folder can be one of these, too. */
  problem?: string;
}

/** Bytes of a recording that are read: more is none. */
const largest = 256 * 1024 * 1024;

const endings = ['.chunks.txt', '.txt', '.sse'];

/** Folders that tell the wire of what is in them. */
const folders: { [folder: string]: string } = {
  'anthropic-messages': 'anthropic',
  anthropic: 'anthropic',
  gemini: 'gemini',
  google: 'gemini',
  'openai-chat': 'openai-chat',
  'openai-responses': 'openai-responses',
};

/** All recordings below a folder, or the one file that is given, in the order of their names. Rejects when it isn't there. */
export async function findRecordings(place: string): Promise<RecordingFile[]> {
  if (!(await stat(place)).isDirectory())
    return [await fileAt(place, { name: basename(place), ...wireOf(dirname(place), place) })];
  const files: RecordingFile[] = [];
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (folder === place) throw error;
      files.push({ path: folder, name: nameOf(place, folder), problem: reasonOf(error) });
      return [];
    });
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path);
      else if (endings.some((ending) => entry.name.endsWith(ending)))
        files.push(await fileAt(path, { name: nameOf(place, path), ...wireOf(place, path) }));
    }
  };
  await walk(place);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const nameOf = (place: string, path: string): string => relative(place, path).split(sep).join('/');

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Plain files alone: what else has a name may never end. */
async function fileAt(path: string, file: Omit<RecordingFile, 'path'>): Promise<RecordingFile> {
  const status = await stat(path).catch(reasonOf);
  if (typeof status === 'string') return { path, ...file, problem: status };
  if (!status.isFile()) return { path, ...file, problem: 'it is no file' };
  return status.size > largest ? { path, ...file, problem: 'it is too large' } : { path, ...file };
}

/** The nearest folder with a telling name, the one that was asked for included. */
function wireOf(place: string, path: string): { wire?: string } {
  const names = [basename(place), ...dirname(relative(place, path)).split(sep)];
  const telling = names.findLast((name) => Object.hasOwn(folders, name));
  const wire = telling === undefined ? undefined : folders[telling];
  return wire === undefined ? {} : { wire };
}

/** The expectation beside a recording; undefined when there is none. Rejects when it is no JSON. */
export async function expectationOf(path: string): Promise<Json | undefined> {
  const ending = endings.find((known) => path.endsWith(known)) ?? '';
  try {
    return JSON.parse(await readFile(`${path.slice(0, path.length - ending.length)}.expected.json`, 'utf8')) as Json;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** An event with the text that it came in, framed as the wire frames it. */
export interface Frame extends RecordedEvent {
  source: string;
}

/** The events in a recording, whether framed or one a line; undefined when it is neither. */
export function framesOf(recording: string): Frame[] | undefined {
  const text = recording.replace(/^\uFEFF/, '');
  const first = text.trimStart();
  // A stream that was cut before anything came is one too.
  if (first === '') return [];
  if (first.startsWith('{'))
    return text
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .map(lineFrame);
  if (!/^(?:data|event|id|retry|:)/.test(first)) return undefined;
  // Kept with what ends them, so that together they are the recording.
  return text.split(/(?<=\r\n\r\n|\n\n|\r\r)/).map(sseFrame);
}

function lineFrame(line: string): Frame {
  const data = parsed(line);
  const name = textOf(objectOf(data)['type']).replace(/[\r\n]/g, ' ');
  const source = `${name === '' ? '' : `event: ${name}\n`}data: ${line}\n\n`;
  return { ...(name === '' ? {} : { name }), data, raw: line, source };
}

function sseFrame(source: string): Frame {
  const lines = source.split(/\r\n|\r|\n/);
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''));
  const name = field('event').at(-1);
  const raw = field('data').join('\n');
  return { ...(name === undefined ? {} : { name }), data: parsed(raw), raw, source };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // not every event is JSON
  }
}

/** Frames without data, comments say, are no events. */
export const eventsOf = (frames: Frame[]): Frame[] => frames.filter(({ raw }) => raw !== '');

/** What the first telling event says of the wire, or the first error where there is nothing else; undefined when none does. */
export function guessWire(frames: Frame[]): string | undefined {
  return firstWire(frames, wireOfEvent) ?? firstWire(frames, wireOfError);
}

/** Whether the events are those of another wire. Errors alone tell nothing. */
export function isOtherWire(frames: Frame[], wire: string): boolean {
  const told = firstWire(frames, wireOfEvent);
  return told !== undefined && told !== wire;
}

function firstWire(frames: Frame[], wireOf: (event: JsonObject) => string | undefined): string | undefined {
  for (const { data } of frames) {
    const wire = isObject(data) ? wireOf(data) : undefined;
    if (wire !== undefined) return wire;
  }
  return undefined;
}

function wireOfEvent(event: JsonObject): string | undefined {
  const type = textOf(event['type']);
  if (type.startsWith('response.')) return 'openai-responses';
  if (/^(?:message|content_block)_/.test(type)) return 'anthropic';
  if (['candidates', 'usageMetadata', 'promptFeedback'].some((key) => event[key] !== undefined)) return 'gemini';
  return event['choices'] !== undefined || event['object'] === 'chat.completion.chunk' ? 'openai-chat' : undefined;
}

function wireOfError(event: JsonObject): string | undefined {
  if (textOf(event['type']) === 'error')
    return isObject(event['error']) && event['sequence_number'] === undefined ? 'anthropic' : 'openai-responses';
  if (!isObject(event['error'])) return undefined;
  return typeof event['error']['status'] === 'string' ? 'gemini' : 'openai-chat';
}

/** A recording may hold several replies, one after the other: another begins only once the one before has ended. */
export function repliesIn(frames: Frame[], wire: string): Frame[][] {
  const replies: Frame[][] = [[]];
  let ended = '';
  for (const frame of frames) {
    const event = objectOf(frame.data);
    if (ended !== '' && begins(event, wire, ended)) {
      replies.push([]);
      ended = '';
    }
    replies.at(-1)?.push(frame);
    ended ||= endOf(event, wire);
  }
  return replies;
}

/** The id of the reply that an event ends, `ended` where it has none; empty when it ends none. */
function endOf(event: JsonObject, wire: string): string {
  const type = textOf(event['type']);
  const words = ['finish_reason', 'finishReason'];
  const choices = [...objectsIn(event['choices']), ...objectsIn(event['candidates'])];
  const isEnd =
    (wire === 'anthropic' && type === 'message_stop') ||
    ['response.completed', 'response.incomplete', 'response.failed'].includes(type) ||
    choices.some((choice) => words.some((word) => typeof choice[word] === 'string'));
  return isEnd ? idOf(event) || 'ended' : '';
}

const idOf = (event: JsonObject): string => textOf(event['responseId']) || textOf(event['id']);

function begins(event: JsonObject, wire: string, ended: string): boolean {
  if (wire === 'anthropic') return event['type'] === 'message_start';
  if (wire === 'openai-responses') return event['type'] === 'response.created';
  const more = [...objectsIn(event['choices']), ...objectsIn(event['candidates'])];
  return more.length > 0 && idOf(event) !== '' && ended !== 'ended' && idOf(event) !== ended;
}
