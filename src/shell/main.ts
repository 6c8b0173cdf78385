import { diagnostic } from '../core/findings/diagnostic.ts';
import { Failure } from './failure.ts';
import { runProgram } from './program.ts';
import type { Runtime } from './runtime.ts';

/** Runs setpoint with the arguments behind its name; gives the exit code. Never throws, never ends the process. */
export async function main(argv: readonly string[], runtime: Runtime): Promise<number> {
  try {
    return await runProgram(argv, runtime);
  } catch (thrown) {
    return report(thrown, argv, runtime);
  }
}

/** A command line that was not understood still gets the report that it asked for. */
async function report(thrown: unknown, argv: readonly string[], runtime: Runtime): Promise<number> {
  const { runCommand } = await import('./run.ts');
  const wanted = argv.map((argument, index) =>
    argv[index - 1] === '--report' ? argument : argument.replace(/^--report=/, ''),
  );
  const reports = [...new Set(wanted.filter((argument) => /^json(=.+)?$/s.test(argument)))];
  const { unexpected } = await import('./talk.ts');
  const diagnostics = thrown instanceof Failure ? thrown.diagnostics : [unexpected(thrown)];
  return runCommand({ report: reports }, runtime, () => {
    throw new Failure(
      diagnostics.length > 0 ? diagnostics : [diagnostic('unexpected', { reason: 'no reason was given' })],
    );
  });
}
