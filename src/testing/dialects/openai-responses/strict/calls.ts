/** Checks calls against their outputs: each has exactly one before the conversation goes on, and no output is without its call. */
import type { JsonObject } from '../../../../core/index.ts';
import { asText, type Findings } from '../../openai/index.ts';
import { isOutput, outputTypeFor, speakerOf, typeOf } from '../shape.ts';

/** The calls on the way through the items. */
interface Course {
  /** The type of the output that each call wants. */
  wanted: Map<string, string>;
  open: Set<string>;
  answered: Set<string>;
  /** Whether outputs have come since the last item of the model: its next one begins another response. */
  answering: boolean;
}

export function* checkCalls(items: JsonObject[]): Findings {
  const course: Course = { wanted: new Map(), open: new Set(), answered: new Set(), answering: false };
  for (const item of items) {
    const type = typeOf(item);
    const byModel = speakerOf(item) === 'model';
    if (byModel ? course.answering : type === 'message') yield* checkOpen(course);
    if (byModel) course.answering = false;
    if (isOutput(type)) yield* checkOutput(item, type, course);
    const wanted = outputTypeFor(type);
    if (wanted !== undefined) yield* checkCall(asText(item['call_id']), wanted, course);
  }
  yield* checkOpen(course);
}

function* checkOpen({ open }: Course): Findings {
  const [id] = open;
  open.clear();
  if (id !== undefined) yield { rule: 'results', message: `No tool output found for function call ${id}.` };
}

function* checkCall(id: string, wanted: string, course: Course): Findings {
  if (course.wanted.has(id)) yield { rule: 'ids', message: `Duplicate call found with call_id ${id}.` };
  course.wanted.set(id, wanted);
  course.open.add(id);
  course.answered.delete(id);
}

function* checkOutput(item: JsonObject, type: string, course: Course): Findings {
  const id = asText(item['call_id']);
  course.answering = true;
  if (course.wanted.get(id) !== type) {
    const kind = type === 'function_call_output' ? 'function call' : 'custom tool call';
    yield { rule: 'orphan-results', message: `No tool call found for ${kind} output with call_id ${id}.` };
    return;
  }
  if (course.answered.has(id)) {
    yield { rule: 'results', message: `Multiple tool outputs found for function call ${id}.` };
  }
  course.answered.add(id);
  course.open.delete(id);
}
