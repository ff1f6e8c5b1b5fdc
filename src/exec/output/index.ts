/** The inner door to the output of commands. */
export { Capture, type Captured, type OutputBudget } from './capture.ts';
