const bare = (text: string) => text;

/** No colours: for files, pipes, NO_COLOR and TERM=dumb. */
export const PLAIN = {
  ...{ add: bare, remove: bare, change: bare, strong: bare, faint: bare },
  ...{ risk: bare, error: bare, warning: bare, note: bare },
};

/** Marks text by its meaning: in colours on a terminal, not at all elsewhere. */
export type Paint = Readonly<typeof PLAIN>;
