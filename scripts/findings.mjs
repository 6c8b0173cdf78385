// Writes docs/findings.md from the explanations of findings.
import { mkdir, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const { outputFiles } = await build({
  stdin: {
    contents: `export { findingsMarkdown } from './src/core/report/markdown/explanations.ts';
export { allCodeHelp } from './src/core/report/code-help.ts';`,
    resolveDir: '.',
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
  logLevel: 'error',
});
const { findingsMarkdown, allCodeHelp } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
);
await mkdir('docs', { recursive: true });
await writeFile('docs/findings.md', findingsMarkdown(allCodeHelp()));
