import { count } from '../../findings/words.ts';
import { visible } from '../escape.ts';
import { shortened } from './layout.ts';

/** More servers are counted. */
const NAMED_AT_MOST = 2;

/** The most columns of the names of servers beside something else. */
const WIDEST = 40;

/** The names of one or two servers; the number of more. */
export function serversText(names: readonly string[]): string {
  if (names.length > NAMED_AT_MOST) return count(names.length, 'server');
  return shortened(names.map(visible).join(', '), WIDEST);
}

/** Says that something is on some of all servers only. */
export function onlyOn(names: readonly string[], all: number): string {
  if (names.length <= NAMED_AT_MOST) return `${serversText(names)} only`;
  return `${names.length} of ${count(all, 'server')}`;
}
