/** Scenarios through the door of the harness: one process, no command of the model's. */
import { fileURLToPath } from 'node:url';
import { loadCases } from '../support/scenario-case.ts';
import { registerCases } from '../support/scenario-suite.ts';

const groups = await loadCases(fileURLToPath(new URL('.', import.meta.url)));
const ours = groups.filter(({ through }) => through === 'harness');
await registerCases('scenarios through the harness', ours, 4);
