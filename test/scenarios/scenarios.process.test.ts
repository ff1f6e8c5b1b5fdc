/** Scenarios that are about processes: the command line as a whole, and commands of the model's. */
import { fileURLToPath } from 'node:url';
import { loadCases } from '../support/scenario-case.ts';
import { registerCases } from '../support/scenario-suite.ts';

const groups = await loadCases(fileURLToPath(new URL('.', import.meta.url)));
const ours = groups.filter(({ through }) => through === 'program');
await registerCases('scenarios of the command line', ours, 3);
