/** What events about the name of a session must hold to be used. */
import type { TitleData } from '../core/index.ts';
import { fields, optional, text, type Shape } from './shape.ts';

export const titleShapes = {
  title: fields({ text, by: text, message: optional(text) } satisfies Shape<TitleData['title']>),
};
