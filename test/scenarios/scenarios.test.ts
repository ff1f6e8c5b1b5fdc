/** Scenarios through the door of the harness: one process, no command of the model's. */
import { fileURLToPath } from 'node:url';
import { loadCases } from '../support/scenario-case.ts';
import { registerCases } from '../support/scenario-suite.ts';

const groups = await loadCases(fileURLToPath(new URL('.', import.meta.url)));
await registerCases(groups.filter(({ through }) => through === 'harness'));
