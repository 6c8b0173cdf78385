import { count } from '../../findings/words.ts';
import { snapshotText } from '../change-words.ts';

interface Validation {
  readonly files: number;
  readonly integrations: number;
  readonly valid: boolean;
  readonly snapshots?: readonly { readonly takenAt: string }[];
}

/** How much was checked, if nothing is wrong: findings go to stderr. */
export function renderValidation({ files, integrations, valid, snapshots = [] }: Validation): string {
  if (!valid) return '';
  const about = snapshots.map(({ takenAt }) => snapshotText(takenAt, undefined));
  return [...about, `Valid: ${count(files, 'file')}, ${count(integrations, 'entry', 'entries')}.`, ''].join(
    '\n',
  );
}
