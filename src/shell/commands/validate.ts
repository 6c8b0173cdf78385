import { hasErrors } from '../../core/catalogue.ts';
import { count } from '../../core/report/plan-text.ts';
import { readConfig } from '../config-source.ts';
import { type RunOptions, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';

export interface ValidateOptions extends RunOptions {
  readonly file?: readonly string[] | undefined;
}

/** Checks configuration files offline: no server, no environment, no referenced file is read. */
export function validate(
  paths: readonly string[],
  options: ValidateOptions,
  runtime: Runtime,
): Promise<number> {
  return runCommand(options, runtime, async (run) => {
    const { value, diagnostics } = await readConfig(run, [...paths, ...(options.file ?? [])]);
    const entries = value?.entries.length ?? 0;
    const files = run.sources.size;
    const valid = !hasErrors(diagnostics);
    return {
      diagnostics,
      document: { files, integrations: entries, valid, servers: [] },
      text: () =>
        valid
          ? `Valid: ${count(files, 'file')}, ${count(entries, 'entry').replace('entrys', 'entries')}.\n`
          : '',
    };
  });
}
