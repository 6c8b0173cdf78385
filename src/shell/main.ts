import { print, printPrepared } from './prepared.ts';
import type { Runtime } from './runtime.ts';

/** Runs setpoint with the arguments after its name and returns the exit code. Never throws, never ends the process. */
export async function main(argv: readonly string[], machine: Runtime): Promise<number> {
  const runtime = { ...machine, command: argv[0] };
  try {
    if (await printPrepared(argv, runtime)) return 0;
    if (argv[0] === '__complete') return await completeWords(argv.slice(1), runtime);
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

/** Prints the words that complete a command line, for the scripts of `setpoint completion`. */
async function completeWords(words: readonly string[], runtime: Runtime): Promise<number> {
  const { complete } = await import('./completion.ts');
  await print(
    complete(words)
      .map((each) => `${each}\n`)
      .join(''),
    runtime,
  );
  return 0;
}
