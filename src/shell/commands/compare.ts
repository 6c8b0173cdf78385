import { compareServers } from '../../core/diff/compare-servers.ts';
import { distinct } from '../../core/findings/diagnostic.ts';
import { readServers } from '../reconcile/compared-servers.ts';
import type { ChangesReport, CommandBody } from '../run.ts';

/** Compares all that two servers hold, managed or not. */
export const compare: CommandBody = async (run, words) => {
  const { options } = run;
  const { exitCode, full, only } = options;
  const { value = [], diagnostics } = await readServers(run, words);
  const [before, after] = value;
  const compared = before && after && compareServers({ before, after, only });
  const servers = compared === undefined ? [] : [compared.plan];
  const report: ChangesReport = {
    kind: 'changes',
    servers,
    isComplete: compared === undefined ? false : undefined,
    shown: { full },
  };
  return {
    diagnostics: distinct([...diagnostics, ...(compared?.diagnostics ?? [])]),
    report,
    differs:
      exitCode === true && servers.some(({ summary }) => summary.changes > 0),
  };
};
