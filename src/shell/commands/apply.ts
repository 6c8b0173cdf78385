import { diagnostic } from '../../core/findings/diagnostic.ts';
import {
  type ReviewedServer,
  reviewedServers,
} from '../../core/plan/plan-document.ts';
import { fail, failUsage } from '../failure.ts';
import { flagNamed } from '../flags.ts';
import { reconcile } from '../reconcile/phases.ts';
import { prepare } from '../reconcile/prepare.ts';
import type { CommandBody, Run } from '../run.ts';
import { readSaved } from '../sources/saved.ts';

/**
 * Brings servers in line with their configuration, or with the part of it in a
 * saved plan: plans everything, asks once, writes, reads back, and reports what
 * became of each integration.
 */
export const apply: CommandBody = async (run, [path]) => {
  const { options } = run;
  const reviewed =
    path === undefined ? undefined : await readReviewed(run, path);
  if (options.yes !== true && !run.runtime.canAsk) {
    fail(diagnostic('not-confirmed', { isAsked: false }));
  }
  return reconcile(run, await prepare(run, reviewed));
};

/** The flags whose choice a saved plan has already made. */
const CHOICES = ['base', 'writeHidden', 'only'] as const;

/**
 * Reads a saved plan; refuses flags that would choose again what it has chosen.
 */
async function readReviewed(
  run: Run,
  path: string,
): Promise<readonly ReviewedServer[]> {
  if (/\.ya?ml$/i.test(path)) {
    failUsage(
      'apply takes a saved plan as its argument, not configuration.',
      `Name the configuration with -f: setpoint apply -f ${path}`,
    );
  }
  const given = CHOICES.filter((name) => run.options[name] !== undefined);
  if (given.length > 0) {
    const flags = given.map((name) => flagNamed(name).typed).join(', ');
    failUsage(
      `${flags} cannot be combined with a saved plan, which has already made this choice.`,
      'Pass it to setpoint plan, and save that plan.',
    );
  }
  return reviewedServers(await readSaved(run, path, 'apply'));
}
