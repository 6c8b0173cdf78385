import { describe, expect, test } from 'vitest';
import type { Document } from '../../../src/core/plan/document.ts';
import { changeOf, documentWith, integrationOf, sampleDocument, serverOf } from '../../support/documents.ts';
import { rendered } from '../../support/rendered.ts';
import { issuesOf, suitesOf } from '../../support/sinks.ts';

/** The same with each place some lines further down. */
function moved(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (key, value) => (key === 'line' ? value + 7 : value));
}

/** Findings that know a place, some with a line in their words. */
const findingsAt = (line: number): readonly Diagnostic[] => {
  const place = { file: 'a.yaml', line, column: 1 };
  const first = { file: 'a.yaml', line: line - 1, column: 1 };
  return [
    diagnostic('unknown-option', { key: 'limt', integration: 'vt', known: ['limit'] }, place),
    diagnostic('duplicate-key', { first }, place),
    diagnostic('asked-to-wait', { request: 'x', seconds: 90 }),
  ];
};

/** The same plans with every line further down. */
const moved = (servers: readonly ServerPlan[]): ServerPlan[] =>
  servers.map((plan) => ({
    ...plan,
    integrations: plan.integrations.map((each) => ({
      ...each,
      changes: each.changes.map((change) => ({ ...change, source: { ...change.source, line: 500 } })),
    })),
  }));

describe('what stays the same by when lines move', () => {
  const before = [report(plans('all-labels')), findingsAt(5)] as const;
  const after = [report(moved(plans('all-labels'))), findingsAt(9)] as const;
  test('of Code Quality', () => {
    const of = ([plan, findings]: typeof before) =>
      issuesOf(rendered('gitlab', plan, findings)).map(({ fingerprint }) => fingerprint);
    expect(of(after).toSorted()).toEqual(of(before).toSorted());
  });
  test('of SARIF', () => {
    const prints = (document: Document) => rendered('sarif', document).match(/"setpoint\/v1": "[0-9a-f]+"/g);
    expect(prints(moved(sampleDocument()))).toEqual(prints(sampleDocument()));
    expect(new Set(prints(sampleDocument())).size).toBe(17);
  });
  test('of Code Quality', () => {
    const prints = (document: Document) => rendered('gitlab', document).match(/"fingerprint": "[0-9a-f]+"/g);
    expect(prints(moved(sampleDocument()))).toEqual(prints(sampleDocument()));
  });
});

test('what has no place stands at the head of the first file that has one', () => {
  const finding = { code: 'unreachable', severity: 'error', message: 'No answer.' } as const;
  const change = changeOf('vt', 9);
  const document = documentWith([serverOf('s', [integrationOf('vt', [change])])], { diagnostics: [finding] });
  const [first] = issuesOf(rendered('gitlab', document));
  expect(first).toMatchObject({ location: { path: change.source.file, lines: { begin: 1 } } });
});

test('the age of a snapshot is the first of the ten notices', () => {
  const snapshot = { takenAt: '2026-11-01T00:00:00Z', days: 3 };
  const aged = plans('three-thousand-changes').map((plan) => ({ ...plan, snapshot }));
  const { commands, others } = commandsOf(rendered('github', report(aged)));
  expect(commands).toHaveLength(10);
  expect(commands[0]?.properties['title']).toBe('Snapshot');
  expect(others).toEqual(['2991 more notices without an annotation.']);
});

test('what is found on several servers is about none of them alone', () => {
  const found = ['staging', 'production'].map((name) =>
    onServer(diagnostic('empty-entry', { name: 'x' }), name),
  );
  const titleOf = (some: readonly Diagnostic[]) => {
    const [command] = commandsOf(rendered('github', { kind: 'none' }, some)).commands;
    return [command?.properties['title'], command?.message];
  };
  expect(titleOf(found)).toEqual([
    'An entry declares nothing (empty-entry)',
    '[production, staging] x declares nothing.',
  ]);
  expect(titleOf(found.slice(1))).toEqual([
    'An entry declares nothing (empty-entry) on production',
    'x declares nothing.',
  ]);
});

test('an annotation of a change that integrations share names them', () => {
  const { commands } = commandsOf(rendered('github', report(plans('three-servers'))));
  expect(commands[0]?.message).toBe('alpha, beta, gamma, delta, epsilon: proxy.value: 30 -> 60');
});

test('what moved on the server, or has a risk, is a warning until an apply is through with it: risks come first', () => {
  const annotations = (servers: readonly ServerPlan[]) =>
    commandsOf(rendered('github', report(servers))).commands.map(({ name, message }) => [
      name,
      message.split(': ')[0],
    ]);
  const names = ['virustotal', 'whois', 'splunk', 'virustotal'];
  expect(annotations(plans('all-labels'))).toEqual(names.map((name) => ['warning', name]));
  const applied = plans('all-labels').map((each) => ({
    ...each,
    integrations: each.integrations.map((one) => ({ ...one, outcome: 'verified' as const })),
  }));
  expect(annotations(applied)).toEqual(names.map((name) => ['notice', name]));
});

test('a declaration with a risk comes before others, as a warning', () => {
  const field = (key: string, risks: FieldDiff['risks']): FieldDiff => ({
    address: `vt.options.${key}.permission`,
    field: 'permission',
    option: key,
    change: 'added',
    risks,
    source: { file: 'a.yaml', line: 4, column: 1 },
    after: { value: 'lock-and-show' },
  });
  const fields = [field('limit', []), field('format', ['overrides-users'])];
  const diff: Report = {
    kind: 'diff',
    base: { ref: 'main', commit: 'c0ffee' },
    servers: [{ name: 'production', change: 'kept', entries: [{ name: 'vt', change: 'changed', fields }] }],
  };
  const issues = issuesOf(rendered('gitlab', diff)).map(({ severity, description }) => [
    severity,
    /vt: (\w+)/.exec(description)?.[1],
  ]);
  expect(issues).toEqual([
    ['major', 'format'],
    ['info', 'limit'],
  ]);
});

test('a test fails by drift, an error, a refusal, and an outcome that is not as planned', () => {
  const failures = (name: string) =>
    suitesOf(rendered('junit', report(plans(name)), findingsAt(5))).flatMap(({ cases }) =>
      cases.flatMap((each) => ('failure' in each ? [each['@_name']] : [])),
    );
  expect(failures('all-labels')).toEqual(['splunk', 'virustotal', 'plan']);
  expect(failures('three-servers')).toEqual(['beta', 'alpha', 'apply']);
});

describe('a test of an integration fails by what is said against it, and by that alone', () => {
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
  /** The names of failed tests, suite by suite, and the name of all of them. */
  const failed = (servers: readonly ServerPlan[], findings: readonly Diagnostic[], isApply = false) => {
    const xml = rendered('junit', report(servers, isApply), findings);
    const suites = suitesOf(xml).map(({ name, cases }) => [
      name,
      cases.flatMap((each) => ('failure' in each ? [each['@_name']] : [])),
    ]);
    return { name: /<testsuites name="([^"]*)"/.exec(xml)?.[1], ...Object.fromEntries(suites) };
  };
  const production = () => plans('three-servers').slice(0, 1);
  test('a risk that is refused, at several addresses', () => {
    const addresses = ['alpha.options.proxy.value', 'gamma.options.proxy.value'];
    const refused = diagnostic('risk-refused', { risk: 'exposes-secret', addresses, by: 'default' });
    expect(failed(production(), [refused], true)).toEqual({
      name: 'setpoint apply',
      production: ['alpha', 'gamma'],
      setpoint: [],
    });
  });
  test.each([
    diagnostic('apply-failed', { integrations: ['beta', 'delta'], detail: 'no', taken: [] }),
    diagnostic('not-permitted', { request: 'PATCH', integrations: ['beta', 'delta'] }),
    diagnostic('not-attempted', { integrations: ['beta', 'delta'] }),
  ])('one finding for several: $code', (found) => {
    expect(failed(production(), [found], true)).toMatchObject({
      production: ['beta', 'delta'],
      setpoint: [],
    });
  });
  test('one that the server calls otherwise', () => {
    const facts = { key: 'limt', integration: 'Epsilon (production)', address: 'epsilon.options.limt' };
    expect(failed(production(), [diagnostic('unknown-option', facts)])).toEqual({
      name: 'setpoint plan',
      production: ['epsilon'],
      setpoint: [],
    });
  });
  test('what is about the run, or a server, is one test of its own', () => {
    const size = diagnostic('many-changes', { changed: 5, large: [] });
    const withheld = diagnostic('hides-secrets', { addresses: ['other.options.key'], isSent: true });
    expect(failed(production(), [size, onServer(withheld, 'production')], true)).toEqual({
      name: 'setpoint apply',
      production: [],
      setpoint: ['apply'],
    });
  });
  test('on its own server alone; without a server on each', () => {
    const three = () =>
      plans('three-servers').map((plan) => ({ ...plan, integrations: production()[0]?.integrations ?? [] }));
    const found = diagnostic('mask-as-value', { address: 'alpha.options.key.value' });
    expect(failed(three(), [onServer(found, 'staging')])).toMatchObject({
      production: [],
      staging: ['alpha'],
      test: [],
      setpoint: [],
    });
    expect(failed(three(), [found])).toMatchObject({
      production: ['alpha'],
      staging: ['alpha'],
      test: ['alpha'],
    });
  });
  test('an outcome that is not as planned, each once', () => {
    const outcomes: readonly Outcome[] = ['verified', 'sent', 'failed', 'stale', 'blocked'];
    const applied = production().map((plan) => ({
      ...plan,
      integrations: plan.integrations.map((each, index) => ({
        ...each,
        outcome: outcomes[index] ?? 'unknown',
      })),
    }));
    const found = diagnostic('apply-failed', { integrations: ['gamma'], detail: 'no', taken: [] });
    expect(names.slice(2)).toEqual(['gamma', 'delta', 'epsilon']);
    expect(failed(applied, [found])).toEqual({
      name: 'setpoint apply',
      production: names.slice(2),
      setpoint: [],
    });
  });
});

describe('the headline of a run', () => {
  const headlines = (servers: readonly ServerPlan[], isApply: boolean) => {
    const of = report(servers, isApply);
    const html = /<h1>(.*)<\/h1>/.exec(rendered('html', of))?.[1];
    return [rendered('markdown', of).split('\n')[2], html];
  };
  test.each<[string, string, boolean, Outcome[], string]>([
    ['a plan', 'plan', false, [], '5 changes in 5 integrations on 1 server'],
    ['a refused apply', 'apply', true, [], 'nothing was written of 5 changes in 5 integrations on 1 server'],
    ['an apply', 'apply', true, ['verified'], '5 integrations verified on 1 server'],
    ['a stale plan', 'apply', true, ['stale'], 'nothing was written: 5 integrations stale on 1 server'],
    [
      'an apply that stopped',
      'apply',
      false,
      ['verified', 'failed', 'not-attempted'],
      '1 verified, 1 failed, 3 not attempted of 5 integrations on 1 server',
    ],
  ])('%s', (_, command, isApply, outcomes, expected) => {
    const servers = plans('three-servers')
      .slice(0, 1)
      .map((plan) => ({
        ...plan,
        integrations: plan.integrations.map((each, index) => {
          const outcome = outcomes[index] ?? outcomes.at(-1);
          return outcome === undefined ? each : { ...each, outcome };
        }),
      }));
    const title = `${command === 'plan' ? 'Plan' : 'Apply'}: ${expected}`;
    expect(headlines(servers, isApply)).toEqual([`## setpoint ${command}: ${expected}`, title]);
  });
  test('names the servers where something changes, not those where nothing does', () => {
    const [changing] = plans('one-change');
    const [same] = plans('empty');
    if (changing === undefined || same === undefined) throw new Error('no plan');
    const applied = {
      ...changing,
      integrations: changing.integrations.map((each) => ({ ...each, outcome: 'verified' as const })),
    };
    const head = (plan: ServerPlan) => headlines([plan, { ...same, name: 'staging' }], false)[0];
    expect([head(changing), head(applied)]).toEqual([
      '## setpoint plan: 1 change in 1 integration on 1 of 2 servers',
      '## setpoint apply: 1 integration verified on 1 of 2 servers',
    ]);
  });
  test('of a plan that --only limits says so, and of how many integrations it is', () => {
    const limited = plans('empty').map((plan) => ({
      ...plan,
      only: 'v*|x',
      summary: { ...plan.summary, managedInAll: 2 },
    }));
    const of = report(limited);
    const selects = 'selects 1 of 2 managed integrations.';
    expect(headlines(limited, false)).toEqual([
      '## setpoint plan: no changes; limited by --only',
      'Plan: no changes; limited by --only',
    ]);
    expect(rendered('markdown', of)).toContain(`\n\n\`--only v*\\u{7c}x\` ${selects}\n\n`);
    expect(rendered('html', of)).toContain(`<p>--only v*|x ${selects}</p>`);
    expect(rendered('text', of)).toContain(`as desired.\n--only v*|x ${selects}\n`);
  });
  test('a refused apply says in text that nothing was written', () => {
    const text = (isApply: boolean) => rendered('text', report(plans('one-change'), isApply));
    expect(text(true)).toContain('Nothing was written.');
    expect(text(false)).not.toContain('Nothing was written.');
  });
});

describe('the rules of SARIF', () => {
  interface Rule {
    readonly id: string;
    readonly help: { readonly text: string; readonly markdown?: string };
    readonly helpUri?: string;
  }
  const rules = (findingsPage?: string): readonly Rule[] => {
    const view = findingsPage === undefined ? {} : { findingsPage };
    const text = rendered('sarif', report(plans('all-labels')), findingsAt(5), [], view);
    return JSON.parse(text).runs[0].tool.driver.rules;
  };
  const found = ['duplicate-key', 'logout-failed', 'unknown-option'];
  test('lead to that page where the build knows it, and nowhere where it does not', () => {
    expect(rules().filter((each) => 'helpUri' in each)).toEqual([]);
    const page = 'https://git.example/owner/setpoint/blob/v1.2.3/docs/findings.md';
    const uris = rules(page).flatMap(({ helpUri }) => helpUri ?? []);
    expect(uris.toSorted()).toEqual(found.map((code) => `${page}#${code}`));
  });
});
