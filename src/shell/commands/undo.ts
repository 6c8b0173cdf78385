import { present } from '../../core/model/json.ts';
import { type Document, isWriting } from '../../core/plan/plan.ts';
import { stillDeclared } from '../../core/plan/undo.ts';
import { resultOf } from '../reconcile/ending.ts';
import { reconcile } from '../reconcile/phases.ts';
import { prepareUndo } from '../reconcile/undo.ts';
import type { CommandBody } from '../run.ts';
import { valuesOf } from '../servers/results.ts';
import { readSaved } from '../sources/saved.ts';

/**
 * Takes an apply back by its report: plans everything, asks once, writes, reads
 * back, and reports what became of each integration. If nobody can be asked, it
 * shows what it would take back.
 */
export const undo: CommandBody = async (run, options, [path = '']) => {
  const document = await readSaved(run, path, 'undo');
  const preparation = await prepareUndo(run, options, document);
  const ended = await reconcile(run, options, preparation);
  const undone = undoneOf(document);
  const result = resultOf(run, options, { ...ended, preparation, undone });
  const plans = valuesOf(ended.results).map(({ plan }) => plan);
  const diagnostics = [...result.diagnostics, ...stillDeclared(plans)];
  return { ...result, diagnostics };
};

/** Returns what is kept of a report that was taken back. */
function undoneOf({ command, createdAt }: Document): Document['undone'] {
  if (!isWriting(command)) return undefined;
  return { command, ...present({ createdAt }) };
}
