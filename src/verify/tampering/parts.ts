/** Of files that hold many things, what of them says how work is checked. */
import { basename } from 'node:path';
import type { Json } from '../../core/index.ts';

const packageKeys = [
  'jest',
  'vitest',
  'mocha',
  'ava',
  'tap',
  'c8',
  'nyc',
  'babel',
  'eslintConfig',
  'eslintIgnore',
  'xo',
];
const sections =
  /^\[\[?(?:tool\.(?:pytest|coverage|mypy|ruff|pylint|tox|nox|pyright|basedpyright)|tool:pytest|pytest|mypy|flake8|coverage|pylint|testenv|tox|test\b|bench\b|lib\b|bin\b|profile\.test|lints)/;
const withSections = new Set(['pyproject.toml', 'setup.cfg', 'tox.ini', 'Cargo.toml']);

/** Whether a change anywhere in it means nothing by itself. */
export const isMixed = (path: string): boolean => withSections.has(basename(path)) || basename(path) === 'package.json';

export function checkPart(path: string, text: string): string {
  const name = basename(path);
  if (name === 'package.json') return packagePart(text);
  if (!withSections.has(name)) return text;
  const blocks = text.split(/^(?=\[)/m);
  return blocks.filter((block) => sections.test(block)).join('');
}

function packagePart(text: string): string {
  try {
    const value = JSON.parse(text) as { [key: string]: Json };
    return JSON.stringify(packageKeys.map((key) => value[key] ?? null));
  } catch {
    return text; // Not JSON: any difference counts.
  }
}
