export const description = 'Read text, images, PDFs, notebooks; list folders. Read before editing.';
/** What is said besides where lines carry tags. */
export const tagsDescription = 'Lines start with their number and tag: 12:k3f.';
