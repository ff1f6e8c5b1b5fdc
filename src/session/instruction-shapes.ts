/** What setups and events must hold of instruction files. */
import type { InstructionData, InstructionFile, LeftOutInstructions, SetupInstructions } from '../core/index.ts';
import { fields, flag, list, number, optional, text, type Shape } from './shape.ts';

const files = list(
  fields({
    path: text,
    hash: text,
    bytes: number,
    shown: optional(number),
    before: optional(flag),
  } satisfies Shape<InstructionFile>),
);
const leftOut = list(fields({ path: text, why: text } satisfies Shape<LeftOutInstructions>));

export const setupInstructions = fields({ files, leftOut } satisfies Shape<SetupInstructions>);

export const instructionShapes = {
  instructions: fields({
    files,
    gone: optional(list(text)),
    leftOut: optional(leftOut),
    text,
  } satisfies Shape<InstructionData['instructions']>),
};
