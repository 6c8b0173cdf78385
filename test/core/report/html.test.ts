import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { type Diagnostic, diagnostic, onServer } from '../../../src/core/findings/diagnostic.ts';
import { grouped } from '../../../src/core/model/grouped.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { IntegrationPlan, ServerPlan } from '../../../src/core/plan/plan.ts';
import { visible } from '../../../src/core/report/escape.ts';
import type { Report } from '../../../src/core/report/report.ts';
import { reportScript, reportStyle } from '../../../src/generated/report-page.ts';
import { planSamples } from '../../support/html-plans.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { rendered } from '../../support/rendered.ts';
import { seeds } from '../../support/soak.ts';

type Node = DefaultTreeAdapterTypes.Node;

/** What a browser makes of a page. */
interface Parsed {
  /** Each element with its attributes: `a href title`. */
  readonly shapes: ReadonlySet<string>;
  /** The texts between tags, but for those of script and style. */
  readonly texts: readonly string[];
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  /** The texts of script and style. */
  readonly code: readonly string[];
  readonly comments: number;
}

function parsed(page: string): Parsed {
  const nodes: Node[] = [];
  const walk = (node: Node): void => {
    nodes.push(node);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(page, { onParseError: ({ code }) => expect(code).toBeUndefined() }));
  const elements = nodes.flatMap((node) => ('tagName' in node ? [node] : []));
  const texts = nodes.flatMap((node) => ('value' in node && 'parentNode' in node ? [node] : []));
  const isCode = ({ parentNode }: (typeof texts)[number]) =>
    /^(script|style)$/.test(parentNode?.nodeName ?? '');
  return {
    shapes: new Set(
      elements.map(({ tagName, attrs }) =>
        [
          tagName,
          ...attrs
            .map(({ name }) => name)
            .filter((name) => name !== 'open')
            .sort(),
        ].join(' '),
      ),
    ),
    texts: texts.filter((each) => !isCode(each)).map(({ value }) => value),
    attributes: elements.flatMap(({ attrs }) => attrs),
    code: texts.filter(isCode).map(({ value }) => value),
    comments: nodes.filter(({ nodeName }) => nodeName === '#comment').length,
  };
}

const place = (foreign: string) => ({ file: foreign, line: 1, column: 1 });

/** A plan with a foreign text in every place that can hold one. */
function foreignPlan(foreign: string): ServerPlan {
  const source = place(foreign);
  const choice = (text: string) => ({ display: text, value: text });
  const option = { option: foreign, label: 'conflict', comment: foreign, source } as const;
  const value = {
    ...option,
    address: `${foreign}.options.${foreign}.value`,
    field: 'value',
    risks: [],
  } as const;
  const plain = { ...value, sensitive: false } as const;
  const permission = { ...option, address: `${foreign}.options.${foreign}.permission` } as const;
  const noted = { address: foreign, field: 'value', option: foreign, source } as const;
  const shown: IntegrationPlan = {
    name: foreign,
    id: `${foreign}_1`,
    status: foreign,
    blocked: true,
    changes: [
      { ...plain, before: `${foreign} 1`, after: foreign },
      { ...plain, before: null, after: foreign },
      { ...plain, before: [choice('a')], after: [choice(foreign)] },
      { ...plain, before: `same\n${foreign}\nend`, after: `same\n1${foreign}\nend` },
      { ...value, sensitive: true, before: null, after: hide('canary'), reference: foreign },
      {
        ...permission,
        field: 'permission',
        sensitive: false,
        before: 'user-provides',
        after: 'lock-and-show',
        risks: ['exposes-secret'],
      },
    ],
    cannotTell: [{ address: foreign, reason: 'masked', reference: foreign, source }],
    noted: [
      { ...noted, label: 'settled' },
      { ...noted, label: 'released' },
    ],
    waived: [{ ...noted, label: 'drift', waiver: { until: '2026-12-31', reason: foreign, owner: foreign } }],
    leftOut: [foreign],
    unmanagedOptions: 0,
    outcome: 'failed',
  };
  return {
    name: foreign,
    url: foreign,
    base: { ref: foreign, commit: 'c0ffee' },
    summary: {
      ...SUMMARY,
      changes: 6,
      labels: { change: 0, conflict: 6, drift: 0, settled: 1, released: 1 },
    },
    integrations: [shown],
  };
}

/** A report of each kind that can hold a foreign text, with one in each place. */
function foreignReports(foreign: string): Report[] {
  const side = { value: foreign };
  const field = {
    address: `${foreign}.options.${foreign}.value`,
    field: 'value',
    option: foreign,
    change: 'changed',
    risks: ['plain-secret'],
    source: place(foreign),
    comment: foreign,
  } as const;
  const fields = [
    { ...field, before: side, after: { value: `${foreign} 2` } },
    { ...field, after: { value: null, reference: foreign } },
  ];
  const own = { name: foreign, url: foreign };
  const error = { id: foreign, integration: foreign, code: foreign, title: foreign, detail: foreign };
  const listed = { id: foreign, name: foreign, acronym: foreign, status: foreign, autosubscribe: true };
  return [
    { kind: 'plan', isComplete: true, servers: [foreignPlan(foreign), foreignPlan(foreign)] },
    {
      kind: 'diff',
      base: { ref: foreign, commit: 'c0ffee' },
      head: { ref: foreign, commit: 'c0ffee' },
      project: [{ name: foreign, change: 'changed', fields: [{ ...field, isWeaker: true, after: side }] }],
      servers: [
        {
          name: foreign,
          change: 'added',
          url: { before: foreign, after: `${foreign}/` },
          entries: [{ name: foreign, was: foreign, change: 'changed', fields }],
        },
      ],
    },
    { kind: 'list', servers: [{ ...own, integrations: [{ ...listed, errors: 1, options: 1 }] }] },
    {
      kind: 'errors',
      servers: [{ ...own, errors: [{ ...error, count: 1, occurredOn: foreign, status: 1 }] }],
    },
    { kind: 'schema', schema: { title: foreign, [foreign]: foreign } },
    { kind: 'validation', files: 1, integrations: 1, valid: false },
    { kind: 'none' },
  ];
}

function foreignFindings(foreign: string): Diagnostic[] {
  const detail = { request: foreign, status: 500, detail: foreign };
  const risk = { risk: foreign, addresses: [foreign], by: 'default' } as const;
  const found = [
    diagnostic('http-status', detail, place(foreign)),
    diagnostic('unknown-option', { key: foreign, integration: foreign, known: [foreign] }, place(foreign)),
    diagnostic('risk-refused', risk, place(foreign)),
  ];
  return found.map((each) => onServer(each, foreign));
}

const PARTS = [
  ...['<', '>', '&', '"', "'", '`', '=', '/', ';', '&lt;', '&#x3c;', '<!--', '-->', ']]>', '<![CDATA['],
  ...[
    '</script>',
    '<script>alert(1)</script>',
    '</style>',
    '</title>',
    '<svg/onload=x>',
    '<img src=x onerror=x>',
  ],
  ...[
    'javascript:x',
    '" onfocus="x',
    "' autofocus onfocus='x",
    '\u0000',
    '\u001b[31m',
    '\u009b',
    '\ufffd',
    '\ufeff',
  ],
  ...[
    '\u202e',
    '\u2066',
    '\u200f',
    '\ud800',
    '\udfff',
    '\ufdd0',
    '\u2028',
    '\r',
    '\n',
    '\t',
    '##[error]',
    '::error::x',
  ],
  ...['word', ' ', 'é', '東', '😀'],
];
const foreignText = fc.oneof(
  fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
);

/** A plan for each of some servers. */
function fleet(texts: readonly string[]): Report {
  return { kind: 'plan', isComplete: true, servers: texts.map((text) => foreignPlan(`x${text}x`)) };
}

/** Reports in which nothing is foreign, by their kind. */
const HARMLESS = grouped([...foreignReports('x.x'), fleet([...'abcdefghij'])], ({ kind }) => kind);

/** What the pages of a kind are made of where nothing is foreign. */
function shapesOf(kind: Report['kind']): ReadonlySet<string> {
  const pages = HARMLESS.get(kind) ?? [];
  return new Set(pages.flatMap((each) => [...parsed(rendered('html', each, foreignFindings('x'))).shapes]));
}

describe('foreign text', () => {
  const known = new Map([...HARMLESS.keys()].map((kind) => [kind, shapesOf(kind)]));
  const expectOnlyText = (page: Parsed, kind: Report['kind']) => {
    expect([...page.shapes].filter((shape) => !known.get(kind)?.has(shape))).toEqual([]);
    expect([page.code, page.comments]).toEqual([[reportStyle.text, reportScript.text], 0]);
    const links = page.attributes.filter(({ name }) => name === 'href');
    expect(links.filter(({ value }) => !/^#(s\d+-i\d+|explain-[a-z-]+)$/.test(value))).toEqual([]);
    const targets = new Set(
      page.attributes.flatMap(({ name, value }) => (name === 'id' ? [`#${value}`] : [])),
    );
    expect(links.filter(({ value }) => !targets.has(value))).toEqual([]);
  };

  test('is text and nothing else, in every place of a plan', { timeout: 600_000 }, () =>
    fc.assert(
      // Ten servers a page, 10,000 texts in all.
      fc.property(fc.array(foreignText, { minLength: 10, maxLength: 10 }), (texts) => {
        const page = parsed(rendered('html', fleet(texts), foreignFindings(texts.join(''))));
        expectOnlyText(page, 'plan');
      }),
      { numRuns: seeds(30, 1_000) },
    ),
  );
  test('is text and nothing else, in every place of every kind of report', () =>
    fc.assert(
      fc.property(foreignText, (text) => {
        for (const report of foreignReports(`x${text}x`))
          expectOnlyText(parsed(rendered('html', report, foreignFindings(text))), report.kind);
      }),
      { numRuns: seeds(20, 300) },
    ));
  test('comes back as it is shown', () =>
    fc.assert(
      fc.property(foreignText, (text) => {
        const foreign = `x${text}x`;
        const [plan] = foreignReports(foreign);
        const { texts } = parsed(rendered('html', plan ?? { kind: 'none' }, foreignFindings(foreign)));
        const shown = visible(foreign);
        // The server, its address, the integration, the waiver and the reference among others.
        expect(texts.filter((each) => each.includes(shown)).length).toBeGreaterThan(40);
        expect(texts).toContain(shown);
        expect(texts).toContain(visible(`# ${foreign}`));
        expect(texts).toContain(visible(`${foreign}:1`));
      }),
      { numRuns: seeds(20, 300) },
    ));
});

describe('the policy of a page', () => {
  const page = rendered('html', {
    kind: 'plan',
    isComplete: true,
    servers: planSamples()['all-labels']?.servers ?? [],
  });
  const hashOf = (text: string | undefined) =>
    `'sha256-${createHash('sha256')
      .update(text ?? '')
      .digest('base64')}'`;

  test('allows the one style and the one script that are in it, by their hashes', () => {
    const { code, attributes } = parsed(page);
    const [style, script] = code;
    expect(attributes.map(({ value }) => value)).toContain(
      `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`,
    );
  });
  test('has nothing to allow beside them', () => {
    const { attributes } = parsed(page);
    expect(attributes.filter(({ name }) => /^(style|src|srcset|action|on.*)$/.test(name))).toEqual([]);
    expect(page).not.toMatch(/@import|url\(|\beval\b|innerHTML/);
  });
});

describe('a page', () => {
  const shown = (report: Report, findings: readonly Diagnostic[] = []) =>
    parsed(rendered('html', report, findings))
      .texts.join(' ')
      .replace(/\s+/g, ' ');
  const sample = (name: string) => {
    const { servers = [], findings = [] } = planSamples()[name] ?? {};
    return shown({ kind: 'plan', isComplete: true, servers }, findings);
  };

  test('is the same for the same plan', () => {
    const [one, two] = [0, 1].map(() => planSamples()['all-labels']?.servers ?? []);
    const made = (servers: readonly ServerPlan[] = []) =>
      rendered('html', { kind: 'plan', isComplete: true, servers });
    expect(made(one)).toBe(made(two));
  });
  test('tells risks, refusals and findings before totals and changes', () => {
    const text = sample('all-labels');
    const order = [
      'Apply refuses this without',
      'Risks',
      'risk-refused',
      'unknown-option',
      'Totals',
      'url.value',
    ];
    const places = order.map((words) => text.indexOf(words));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });
  test('says what a permission means, whose change it is, and where it is written', () => {
    const text = sample('all-labels');
    for (const words of [
      'user-provides each user sets their own',
      'lock-and-show set for all, users see it',
      'base/threat.yaml:12',
      '# slow since the last upgrade',
      '${env:SETPOINT_THREAT_KEY}',
      'until 2026-12-31: slow until the upgrade (soc)',
      'Settled: changed by this branch, and live already',
      'Released: no longer managed, and left as it is',
      'Not planned, because of errors.',
    ])
      expect(text).toContain(words);
  });
  test('says what became of changes after an apply', () => {
    const text = sample('three-servers');
    expect(text).toContain('Apply: 2 verified, 1 sent, 1 failed of 4 integrations on 3 servers');
    for (const outcome of ['verified', 'failed', 'sent']) expect(text).toContain(outcome);
  });
  test('shows one side of what is new', () => {
    const page = rendered('html', {
      kind: 'plan',
      isComplete: true,
      servers: planSamples()['all-labels']?.servers ?? [],
    });
    expect(page).toMatch(/\+ note\.value[\s\S]*?<div class="diff"><ins>kept by the platform team<\/ins>/);
  });
  test('counts the lines of a comparison that are too many', () => {
    const [server] = planSamples()['one-change']?.servers ?? [];
    const [integration] = server?.integrations ?? [];
    const [change] = integration?.changes ?? [];
    if (server === undefined || integration === undefined || change === undefined)
      throw new Error('no change');
    const long = Array.from({ length: 1200 }, (_, index) => `line ${index}`).join('\n');
    const changes = [{ ...change, before: 'a\nb', after: long } as typeof change];
    const servers = [{ ...server, integrations: [{ ...integration, changes }] }];
    expect(shown({ kind: 'plan', isComplete: true, servers })).toContain('202 more lines');
  });
  test.each([
    [
      'a valid configuration',
      { kind: 'validation', files: 2, integrations: 5, valid: true },
      'Valid: 2 files, 5 entries',
    ],
    [
      'an invalid one',
      { kind: 'validation', files: 1, integrations: 1, valid: false },
      'Not valid: 1 file, 1 entry',
    ],
    ['a schema', { kind: 'schema', schema: { type: 'object' } }, '"type": "object"'],
    ['nothing', { kind: 'none' }, 'Nothing to report'],
    ['no plan at all', { kind: 'plan', isComplete: true, servers: [] }, 'Plan: not planned'],
    [
      'no errors',
      { kind: 'errors', servers: [{ name: 's', url: 'u', errors: [] }] },
      '0 integration errors.',
    ],
  ] as const)('of %s', (_, report, expected) => {
    expect(shown(report)).toContain(expected);
  });
  test('of a run that failed has its findings', () => {
    expect(shown({ kind: 'none' }, foreignFindings('x'))).toContain('Nothing but findings');
  });
});
