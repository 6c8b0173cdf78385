// Writes docs/findings.md from the entries of findings.
import { mkdir, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const { outputFiles } = await build({
  stdin: {
    contents: `export { FINDINGS } from './src/core/findings/diagnostic.ts';
export { findingHelp } from './src/core/findings/explain.ts';`,
    resolveDir: '.',
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
  logLevel: 'error',
});
const { FINDINGS, findingHelp } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
);

/** Words without what Markdown would take for marks; GitHub reads dollars as mathematics. */
const escaped = (text) => text.replace(/[\\`*_<>[\]&$]/g, '\\$&');

/** A paragraph; a line that is indented is an example. */
const paragraph = (text) =>
  text
    .split('\n')
    .map((line) =>
      line.startsWith(' ') ? `\`${line.trim()}\`` : escaped(line),
    )
    .join('<br>');

const section = (help) => {
  const { code, title, severity, exit, message, why, hint } = help;
  const words = [message, why, hint].filter((each) => each !== undefined);
  const weight = [severity, exit && `exit code ${exit}`]
    .filter(Boolean)
    .join(', ');
  return `### ${code}\n\n**${escaped(title)}**${weight && ` (${weight})`}. ${words.map(paragraph).join(' ')}\n`;
};

await mkdir('docs', { recursive: true });
await writeFile(
  'docs/findings.md',
  [
    '# Findings\n\nWhat setpoint reports, what it means, and what to do. `setpoint explain CODE` prints the same.\n',
    ...Object.keys(FINDINGS).map((code) => section(findingHelp(code))),
  ].join('\n'),
);
