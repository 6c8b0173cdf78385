import { type Card, placesOf } from './card.ts';
import { filesText } from './files.ts';
import type { Row } from './row.ts';

/**
 * The files whose lines need no name beside them: those of all rows if they
 * read as one path, else those of most rows.
 */
export function homeOf({ rows, files }: Card): string[] {
  const whole = filesText(files);
  if (whole.length === 1) return whole;
  const counts = new Map<string, number>();
  let home: string[] = [];
  let most = 0;
  for (const row of rows) {
    const own = filesText(filesOf(row));
    const times = (counts.get(own.join()) ?? 0) + 1;
    counts.set(own.join(), times);
    if (times <= most) continue;
    most = times;
    home = own;
  }
  return home;
}

/** The files of a row if its card is in several, and most of it elsewhere. */
export function filesElsewhere(row: Row, card: Card): string[] {
  if (filesText(card.files).length === 1) return [];
  const files = filesText(filesOf(row));
  return files.join() === homeOf(card).join() ? [] : files;
}

/** The files of a row, in the order of its changes. */
function filesOf(row: Row): string[] {
  return [...new Set(placesOf(row).map(({ file }) => file))];
}
