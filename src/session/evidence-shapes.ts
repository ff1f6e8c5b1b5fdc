/** What evidence must hold to be used. */
import type { CheckFinding, EvidenceData, Excerpt } from '../core/index.ts';
import { fields, flag, list, nullable, number, oneOf, optional, text, type Shape, type Words } from './shape.ts';

const excerpt = fields({ text, blob: optional(text), bytes: optional(number) } satisfies Shape<Excerpt>);
const finding = fields({
  file: optional(text),
  line: optional(number),
  column: optional(number),
  text,
} satisfies Shape<CheckFinding>);

const evidenceOutcome = oneOf({
  passed: true,
  failed: true,
  'timed-out': true,
  'not-started': true,
  cancelled: true,
} satisfies Words<EvidenceData['evidence']['outcome']>);

export const evidenceShapes = {
  evidence: fields({
    command: text,
    passed: flag,
    exit: nullable(number),
    outcome: evidenceOutcome,
    output: excerpt,
    elapsed: number,
    covers: text,
    paths: optional(list(text)),
    advisory: optional(flag),
    early: optional(flag),
    findings: optional(list(finding)),
    shown: optional(text),
    definersChanged: optional(list(text)),
  } satisfies Shape<EvidenceData['evidence']>),
};
