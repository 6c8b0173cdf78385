import fc from 'fast-check';
import type {
  Document,
  IntegrationDocument,
} from '../../src/core/plan/plan-document.ts';
import {
  changeOf,
  documentWith,
  integrationOf,
  serverOf,
} from './documents.ts';

/** What every foreign text holds: it shows where foreign text ends up. */
export const MARK = 'ZQX';

/** What could mean something to a terminal, a runner, or a reader of Markdown, XML or SARIF. */
const PARTS = [
  ...'::error::x ##[error] ##vso[task] :: : , %0A % %25'.split(' '),
  ...'<b> <!-- --> <script>alert(1)</script> </details>'.split(' '),
  ...'<![CDATA[ ]]> & &amp; " \' ` `` ``` ~~~ | \\ \\|'.split(' '),
  ...'* _ # @user @org/team #1 ](1) {0} { } [^1] é 漢 🎉'.split(' '),
  ...'[a](http://x.example) ![a](b) https://x.example www.x.example'.split(' '),
  ...['\n```\n', '\n````\n', '\n~~~\n', '\n```\n\n@user <b>\n'],
  ...['\n::error file=a::x', '# h', '- ', '> '],
  ...['\n', '\n\n', '\r', '\r\n', '\t', ' ', '    ', '\u001b[31m'],
  // Controls, marks of direction, marks without width, halves of characters.
  ...['\u0000', '\u0007', '\u009b', '\u2028', '\u202e', '\u2066', '\u200b'],
  ...['\u200d', '\ufeff', '\ufffe', '\ud800', '\udc00', '\u{e0041}'],
];

/** A text from outside that tries to get out of where it is shown. */
export const foreignText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...PARTS),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map(
    (parts) => `${parts.slice(0, 4).join('')}${MARK}${parts.slice(4).join('')}`,
  );

/** A document with a text in every place that is foreign, on a server and in an integration of that name. */
export function foreignDocument(text: string): Document {
  const revision = { ref: text, commit: text };
  const server = serverOf(text, [integration(text)], { only: text });
  const refusal = {
    code: 'risk-refused',
    severity: 'error',
    message: text,
    hint: text,
    risk: 'exposes-secret',
    addresses: [`${text}.options.${text}.value`],
  } as const;
  return documentWith([{ ...server, refusals: [refusal] }], {
    repository: text,
    commit: text,
    base: revision,
    head: revision,
    diagnostics: foreignFindings(text),
  });
}

function integration(text: string) {
  const source = { file: text, line: 3, column: 5, endColumn: 9 };
  const value = {
    address: `${text}.options.${text}.value`,
    source,
    comment: text,
    type: text,
    reason: text,
  } as const;
  const choices = [text, `${text} 2`].map((each) => ({
    display: each,
    value: each,
  }));
  const secret = {
    before: null,
    after: null,
    secret: true,
    reference: text,
  } as const;
  const changes = [
    changeOf(text, 3, {
      ...value,
      before: null,
      after: text,
      risks: ['exposes-secret'],
    }),
    changeOf(text, 3, {
      ...value,
      label: 'drift',
      before: `a\n${text}`,
      after: `a\n${text}\n${text}`,
    }),
    changeOf(text, 3, { ...value, label: 'drift', before: [], after: choices }),
    changeOf(text, 3, { ...value, label: 'drift', before: text, after: 'x' }),
    changeOf(text, 3, {
      ...value,
      label: 'conflict',
      before: text,
      base: text,
      after: text,
    }),
    changeOf(text, 3, { ...value, ...secret, label: 'drift' }),
    changeOf(text, 3, { ...value, ...secret, beforeReference: text }),
  ];
  const { address } = value;
  const sides = { before: text, after: text, reason: text, until: text };
  const left: IntegrationDocument['left'] = [
    { address, because: 'hidden', source, reference: text },
    { address, because: 'unread', source, reference: text },
    { address, because: 'waived', source, reference: text, ...sides },
    { address, because: 'settled', source },
    { address, because: 'released' },
  ];
  return integrationOf(text, changes, {
    id: `${text} id`,
    status: text,
    source,
    left,
    sameSecrets: [address],
  });
}

/** The same after an apply that failed, with the text as the reason. */
export function foreignApply(text: string): Document {
  const document = foreignDocument(text);
  const failed = { outcome: 'failed', reason: text } as const;
  const servers = document.servers.map((server) => {
    const integrations = server.integrations.map((integration) => {
      const { changes } = integration;
      const ended = changes.map((change) => ({ ...change, ...failed }));
      return { ...integration, changes: ended };
    });
    return { ...server, integrations };
  });
  return { ...document, command: 'apply', servers };
}

/** A document of so many integrations that a comment folds most of them. */
export function foldedDocument(text: string): Document {
  const names = [...Array(24).keys()].map((at) => `${at} ${text}`);
  const integrations = names.flatMap((name, at) => {
    const limit = changeOf(name, 3, { after: at });
    const other = { address: `${name}.options.${text}.value`, after: text };
    const single = integrationOf(`${name} single`, [limit]);
    return [integrationOf(name, [limit, changeOf(name, 4, other)]), single];
  });
  return documentWith([serverOf(text, integrations), serverOf('b', [])]);
}

/** Findings with a text in every place that is foreign. */
function foreignFindings(text: string): Document['diagnostics'] {
  const found = {
    message: text,
    hint: text,
    server: text,
    places: [{ file: text, line: 2, column: 4 }],
  };
  return [
    { code: 'unreachable', severity: 'error', ...found },
    { code: 'loosened', severity: 'warning', message: text },
    {
      code: 'unknown-option',
      severity: 'warning',
      ...found,
      integrations: [text],
      addresses: [`${text}.options.${text}.value`],
    },
  ];
}
