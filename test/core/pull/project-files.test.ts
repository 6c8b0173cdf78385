import { expect, test } from 'vitest';
import { projectText } from '../../../src/core/pull/project-files.ts';

const NEW = { name: 'new', url: 'https://n.example', layers: ['servers/new/'] };

/** A project with one more server. */
function added(project: string): string {
  return projectText(project, NEW, 'setpoint.schema.json');
}

test('a server is added behind the last one, before what follows', () => {
  const project = [
    'version: 1',
    'servers:',
    '    prod: { url: https://p.example, config: [base/] } # first',
    'policy: { exposes-secret: error }',
    '',
  ];
  const lines = [
    '    new:',
    '      url: https://n.example',
    '      config: [servers/new/]',
  ];
  const expected = [...project.slice(0, 3), ...lines, ...project.slice(3)];
  expect(added(project.join('\n'))).toBe(expected.join('\n'));
  expect(added(project.join('\r\n'))).toBe(expected.join('\r\n'));
});

test.each([
  ['staging', 'https://s.example', ['staging', 'prod', 'lab']],
  ['second', 'https://platform-uat.example', ['second', 'prod', 'lab']],
  ['testament', 'https://t.example', ['prod', 'lab', 'testament']],
])('%s at %s is written at its place', (name, url, expected) => {
  const project =
    'servers:\n  # The first.\n  prod:\n    url: https://p.example\n  lab:\n    url: https://l.example\n';
  const text = projectText(project, { name, url, layers: ['a/'] }, 's');
  const names = [...text.matchAll(/^ {2}(\w+):$/gm)].map(([, key]) => key);
  expect(names).toEqual(expected);
  expect(text).toContain('  # The first.\n  prod:');
});

test.each([
  ['on one line', 'servers: { prod: { url: https://p.example } }\n'],
  ['in braces', 'servers: {\n  prod: { url: https://p.example }\n}\n'],
  ['none', 'servers: {}\n'],
  ['broken', 'servers:\n  prod: "https://p.example\n'],
])('servers that are %s stay as they are', (_, servers) => {
  const project = `version: 1\n${servers}`;
  expect(added(project)).toBe(project);
});

test('a new server takes nothing of the last one, whatever stands between its fields', () => {
  const project = `version: 1
servers:
  prod:
    url: https://p.example

# Who may read it.
    labels: { tier: one }
    hidesSecrets: true
`;
  expect(added(project)).toBe(
    `${project}  new:\n    url: https://n.example\n    config: [servers/new/]\n`,
  );
});
