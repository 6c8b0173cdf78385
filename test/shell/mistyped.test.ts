import { expect, test } from 'vitest';
import { EXAMPLE_CATALOG } from '../support/dialects.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { findingsOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const entry = (options: string) =>
  `version: 1\nintegrations:\n  lookup: { match: threat_lookup_*, options: { ${options} } }\n`;

/** A project of one server, `staging`, that lies in `infra`. */
async function rehearsal(options = 'timeout: 31') {
  const { url } = await liveSandbox({ catalog: EXAMPLE_CATALOG });
  const setpoint = `version: 1\nservers: { staging: { url: "${url}", config: [base/] } }\n`;
  const root = await tempFolder({
    '.git/HEAD': '',
    'setpoint.yaml': setpoint,
    'base/a.yaml': entry(options),
  });
  const attempt = async (args: readonly string[], cwd = root) => {
    const result = await run(args, { cwd, env: ADMIN });
    return { ...result, said: result.stderr.replace(/\s+/g, ' ') };
  };
  return { url, root, attempt };
}

test.each([
  ['plan staging', 'need the URL', 'no file to use the servers'],
  ['plan -f setpoint.yaml', 'need the URL', 'or no file'],
  ['accept timeout --yes', '"timeout"', 'lookup.timeout'],
  ['show timeout', '"timeout"', 'lookup.timeout'],
  ['plan --write-hidden timeout', '"timeout"', 'lookup.timeout'],
  ['sandbox --port 0 --stopped treat-lookup', 'has no treat-lookup', ''],
])('%s', async (line, problem, remedy) => {
  const { attempt } = await rehearsal();
  const { code, said } = await attempt(line.split(' '));
  expect([code, said]).toEqual([3, expect.stringContaining(problem)]);
  expect(said.slice(said.indexOf(problem))).toContain(remedy);
});

test('what the column NAME of list shows selects an integration', async () => {
  const { attempt } = await rehearsal();
  for (const word of ['Threat Lookup', 'Threat*']) {
    const listed = await attempt(['list', '--only', word]);
    expect(listed.stdout).toMatch(/threat_lookup_node.*Threat Lookup\n/);
    expect(listed.stdout.includes('case_vault')).toBe(false);
    expect(listed.stderr).toBe('');
    const shown = await attempt(['show', word]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('threat_lookup_node');
  }
});

test.each([
  ['mode: fats', 'Did you mean fast? Choices: fast, thorough, passive.'],
])('a value that is no choice: %s', async (options, hint) => {
  const { attempt } = await rehearsal(options);
  const result = await attempt(['plan', '--report', 'json']);
  expect(result.code).toBe(3);
  expect(findingsOf(result)).toEqual([
    expect.objectContaining({ code: 'wrong-value', hint }),
  ]);
});

test.each([
  ['a.yaml', 'version: 1\nvalues:\n  a:{ x: y }\n', 3],
  [
    'b.yaml',
    'version: 1\nintegrations:\n  a:\n    options:\n      k:{ value: b }\n',
    5,
  ],
  ['d.yaml', 'version: 1\nvalues:\n  a: source: host\n', 3],
])('a colon too few or too many: %s', async (file, text, line) => {
  const cwd = await tempFolder({ [file]: text });
  const args = ['validate', file, '--report', 'json'];
  const [found] = findingsOf(await run(args, { cwd }));
  expect(found).toMatchObject({ code: 'yaml-syntax', places: [{ line }] });
  expect(found?.message).toMatch(
    /^[abc]/.test(file) ? /colon needs a blank/ : /second colon/,
  );
});
