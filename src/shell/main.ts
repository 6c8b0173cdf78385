import { VERSION } from '../core/model/version.ts';
import type { Runtime } from './runtime.ts';

/** What the program prints as its help, put in by the bundler; in the source tree there is none. */
declare const SETPOINT_HELP: string | undefined;

/** Runs setpoint with the arguments after its name and returns the exit code. Never throws, never ends the process. */
export async function main(argv: readonly string[], runtime: Runtime): Promise<number> {
  try {
    const text = ownText(argv);
    if (text === undefined) return await (await import('./program.ts')).runProgram(argv, runtime);
    runtime.stdout.write(text);
    return 0;
  } catch (thrown) {
    // A command line that is not understood still gets the JSON that it asks for.
    const { runCommand } = await import('./run-command.ts');
    const report = wantsJson(argv) ? [{ format: 'json' as const }] : [];
    return runCommand({ command: argv[0], report }, runtime, () => {
      throw thrown;
    });
  }
}

/** A text that needs no program: the version or the help. */
function ownText([first = '--help', ...rest]: readonly string[]): string | undefined {
  if (rest.length > 0) return undefined;
  if (first === '--version' || first === '-V') return `${VERSION}\n`;
  const isHelp = first === '--help' || first === '-h';
  return typeof SETPOINT_HELP === 'string' && isHelp ? SETPOINT_HELP : undefined;
}

/** Whether a command line asks for JSON on stdout, however wrong the rest of it is. */
function wantsJson(argv: readonly string[]): boolean {
  return /(^|\n)--report[=\n]json(=-)?(\n|$)/.test(argv.join('\n'));
}
