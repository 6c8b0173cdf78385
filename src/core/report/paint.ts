/** Marks text by its meaning: in colours on a terminal, not at all elsewhere. */
export interface Paint {
  readonly add: (text: string) => string;
  readonly remove: (text: string) => string;
  readonly change: (text: string) => string;
  readonly risk: (text: string) => string;
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const bare = (text: string) => text;

/** No colours: for files, pipes, NO_COLOR and TERM=dumb. */
export const PLAIN: Paint = {
  add: bare,
  remove: bare,
  change: bare,
  risk: bare,
  error: bare,
  warning: bare,
  strong: bare,
  faint: bare,
};
