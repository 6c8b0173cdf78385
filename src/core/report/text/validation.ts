import { count } from '../../findings/words.ts';
import { snapshotText } from '../change-words.ts';

interface Validation {
  readonly files: number;
  readonly integrations: number;
  readonly valid: boolean;
  /** Whether options were compared with a catalog or a snapshot. */
  readonly optionsChecked: boolean;
  readonly snapshots?: readonly { readonly takenAt: string }[];
}

const UNCHECKED = 'Option keys, types and choices were not checked: pass --catalog DIR or --live FILE.';

/** How much was checked, if nothing is wrong: findings go to stderr. */
export function renderValidation(validation: Validation): string {
  const { files, integrations, valid, optionsChecked, snapshots = [] } = validation;
  if (!valid) return '';
  const about = snapshots.map(({ takenAt }) => snapshotText(takenAt, undefined));
  const checked = `Valid: ${count(files, 'file')}, ${count(integrations, 'entry', 'entries')}.`;
  return [...about, checked, ...(optionsChecked ? [] : [UNCHECKED]), ''].join('\n');
}
