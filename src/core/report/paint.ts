/** Marks text by its meaning: in colours on a terminal, not at all elsewhere. */
export type Paint = Readonly<Record<Mark, (text: string) => string>>;

type Mark = 'add' | 'remove' | 'change' | 'risk' | 'error' | 'warning' | 'note' | 'strong' | 'faint';

const bare = (text: string) => text;

/** No colours: for files, pipes, NO_COLOR and TERM=dumb. */
export const PLAIN: Paint = {
  add: bare,
  remove: bare,
  change: bare,
  risk: bare,
  error: bare,
  warning: bare,
  note: bare,
  strong: bare,
  faint: bare,
};
