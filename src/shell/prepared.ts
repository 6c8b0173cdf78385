import { VERSION } from '../core/model/version.ts';
import type { Runtime, Sink } from './runtime.ts';

/** What the program prints as its help, put in by the bundler; in the source tree there is none. */
declare const SETPOINT_HELP: string | undefined;

/** Prints the help or the version without the work of making the program; returns false for any other command line. */
export async function printPrepared(argv: readonly string[], runtime: Runtime): Promise<boolean> {
  const text = argv.length > 1 ? undefined : preparedFor(argv[0] ?? '--help');
  if (text === undefined) return false;
  await print(text, runtime);
  return true;
}

/** Prints a text of the program's own, with nothing foreign in it. */
export async function print(text: string, { stdout }: Runtime): Promise<void> {
  stdout.write(text);
  await checkArrived(stdout);
}

function preparedFor(flag: string): string | undefined {
  if (flag === '--version' || flag === '-V') return `${VERSION}\n`;
  return typeof SETPOINT_HELP === 'string' && (flag === '--help' || flag === '-h')
    ? SETPOINT_HELP
    : undefined;
}

/** Fails where a text that was printed is lost; a reader that goes away had enough of it. */
export async function checkArrived(stdout: Sink): Promise<void> {
  const lost = await stdout.lost();
  if (lost?.isReaderGone !== false) return;
  const { diagnostic } = await import('../core/findings/diagnostic.ts');
  const { fail } = await import('./failure.ts');
  fail(diagnostic('file-unwritable', { reason: lost.reason }));
}
