import { printPrepared } from './prepared.ts';
import type { Runtime } from './runtime.ts';

/** Runs setpoint with the arguments after its name and returns the exit code. Never throws, never ends the process. */
export async function main(argv: readonly string[], machine: Runtime): Promise<number> {
  const runtime = { ...machine, command: argv[0] };
  try {
    if (await printPrepared(argv, runtime)) return 0;
    const { runProgram } = await import('./program.ts');
    return await runProgram(argv, runtime);
  } catch (thrown) {
    // A command line that is not understood still gets the reports it asks for.
    const { runCommand } = await import('./run.ts');
    const { reportsIn } = await import('./report-target.ts');
    return runCommand({ report: reportsIn(argv) }, runtime, () => {
      throw thrown;
    });
  }
}
