/** The file that a call reads. */
import type { FileState } from '../../needs.ts';

export interface Subject {
  /** Real path, and the path as people write it. */
  real: string;
  name: string;
  state: FileState;
}

/** How the model is shown what there is. */
export interface Manner {
  /** Lines carry tags. */
  tags: boolean;
  /** It sees images. */
  images: boolean;
  /** Pixels of the longer side of an image at most. */
  pixels: number;
}
