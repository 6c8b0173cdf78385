import { compareServers } from '../../core/diff/compare-servers.ts';
import { distinct } from '../../core/findings/diagnostic.ts';
import { readServers } from '../reconcile/compared-servers.ts';
import type { ChangesReport, CommandBody } from '../run.ts';

/** Compares all that two servers hold, managed or not. */
export const compare: CommandBody = async (run, options, words) => {
  const { exitCode, full, only } = options;
  const { value = [], diagnostics } = await readServers(run, options, words);
  const [before, after] = value;
  const shown = { full };
  if (before === undefined || after === undefined) {
    const report: ChangesReport = {
      kind: 'changes',
      servers: [],
      isComplete: false,
      shown,
    };
    return { diagnostics, report };
  }
  const compared = compareServers({ before, after, only });
  const { plan } = compared;
  const report: ChangesReport = { kind: 'changes', servers: [plan], shown };
  return {
    diagnostics: distinct([...diagnostics, ...compared.diagnostics]),
    report,
    differs: exitCode === true && plan.summary.changes > 0,
  };
};
