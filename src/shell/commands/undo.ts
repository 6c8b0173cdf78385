import { reconcile } from '../reconcile/phases.ts';
import { prepareUndo } from '../reconcile/undo.ts';
import type { CommandBody } from '../run.ts';
import { readSaved } from '../sources/saved.ts';

/**
 * Takes an apply back by its report: plans everything, asks once, writes, reads
 * back, and reports what became of each integration. If nobody can be asked, it
 * shows what it would take back.
 */
export const undo: CommandBody = async (run, [path = '']) => {
  const document = await readSaved(run, path, 'undo');
  return reconcile(run, await prepareUndo(run, document));
};
