/** All rows, in the order in which they are measured. */
import type { Row } from '../measure/bench.ts';
import { logRow } from './log.ts';
import { mapRow } from './map.ts';
import { memoryRow } from './memory.ts';
import { outputRow } from './output.ts';
import { requestRow } from './request.ts';
import { resumeRow } from './resume.ts';
import { searchRow } from './search.ts';
import { startRow } from './start.ts';
import { turnRow } from './turn.ts';
import { wireRow } from './wire.ts';

export const rows: Row[] = [
  startRow,
  turnRow,
  memoryRow,
  requestRow,
  resumeRow,
  logRow,
  searchRow,
  mapRow,
  wireRow,
  outputRow,
];
