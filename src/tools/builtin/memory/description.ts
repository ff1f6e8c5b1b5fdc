export const description =
  'Propose a note for later sessions: a lasting fact or preference, one line. `old` is what it replaces; without `note` that is removed.';
