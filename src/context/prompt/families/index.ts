/** Families of models whose prompt differs, as data. */
import type { Family } from './family.ts';
import { google } from './google.ts';
import { open } from './open.ts';
import { openai } from './openai.ts';

/** The first that matches counts. */
export const families: { readonly [name: string]: Family } = { open, openai, google };

/** The family of a model (`vendor/name` or a bare name); undefined where the prompt is as it is for most. */
export function familyOf(model: string): Family | undefined {
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  return Object.values(families).find(({ models }) => models.test(name));
}
