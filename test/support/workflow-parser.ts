import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { tempFolder } from './temp.ts';

/** Returns what GitHub's own parser finds wrong with the text of a workflow. */
export async function workflowParser(): Promise<
  (content: string) => Promise<string[]>
> {
  // It loads JSON as only a bundler does.
  const stdin = {
    contents: "export * from '@actions/workflow-parser'",
    resolveDir: '.',
  };
  const bundle = {
    stdin,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  } as const;
  const [file] = (await build(bundle)).outputFiles;
  const folder = await tempFolder({ 'parser.cjs': file?.text ?? '' });
  const path = join(folder, 'parser.cjs');
  const github: typeof import('@actions/workflow-parser') =
    createRequire(path)(path);
  return async (content) => {
    const trace = new github.NoOperationTraceWriter();
    const { context, value } = github.parseWorkflow(
      { name: 'f', content },
      trace,
    );
    if (value !== undefined)
      await github.convertWorkflowTemplate(context, value);
    return context.errors.getErrors().map(String);
  };
}
