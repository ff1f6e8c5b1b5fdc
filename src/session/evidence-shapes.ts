/** What evidence must hold to be used. */
import type { CheckFinding, DefinerChange, EvidenceData, Excerpt, ProofKind, Weakening } from '../core/index.ts';
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

const redefined = optional(
  list(
    fields({
      path: text,
      kind: optional(oneOf({ test: true, configuration: true } satisfies Words<NonNullable<DefinerChange['kind']>>)),
      how: optional(
        oneOf({
          deleted: true,
          skipped: true,
          narrowed: true,
          'fewer-tests': true,
          'fewer-assertions': true,
          'forced-exit': true,
          loosened: true,
        } satisfies Words<Weakening>),
      ),
    } satisfies Shape<DefinerChange>),
  ),
);
const proofKind = oneOf({ tests: true, types: true, lint: true, build: true } satisfies Words<ProofKind>);

export const evidenceShapes = {
  'own-checks': fields({
    covers: text,
    proves: flag,
    commands: list(fields({ call: text, command: text, kind: proofKind })),
    why: text,
    redefined,
  } satisfies Shape<EvidenceData['own-checks']>),
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
    redefined,
  } satisfies Shape<EvidenceData['evidence']>),
};
