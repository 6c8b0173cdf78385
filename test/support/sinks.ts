import sarif from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with {
  type: 'json',
};
import { Ajv } from 'ajv';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { expect } from 'vitest';
import { MARK } from './foreign-report.ts';

type Root = ReturnType<typeof fromMarkdown>;
type Nodes = Root | Root['children'][number];

/** What nothing that a person or a runner reads may hold. */
export const INVISIBLE =
  /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u2800]/u;

/** The HTML of our own: no foreign text is in a summary. */
const OWN_HTML = new RegExp(
  [
    '<!-- setpoint \\w+ -->',
    '<details>\n<summary>(?:<b>[\\w :]+</b>)?[\\w ,:]*</summary>',
    '</details>|</?sub>',
  ].join('|'),
);

/** The words of our own, and plain words of sentences. */
const OWN_TEXT = /^[A-Za-z0-9 \u00a0\n.,:;?%'()+→-]*$/;

/** What begins a box of GitHub. */
const ALERT = /^\[!(CAUTION|WARNING)\]\n/;

/** A place at the commit of the document. */
const OWN_LINK = /^https:\/\/git\.example\/[\w.:~%/-]+#L\d+$/;

/** What is code in Markdown. */
export interface MarkdownCode {
  readonly spans: readonly string[];
  readonly fences: readonly string[];
}

/**
 * Reads Markdown as GitHub does, and fails if foreign text is anything but
 * code. Returns its code.
 */
export function codeOf(markdown: string): MarkdownCode {
  const spans: string[] = [];
  const fences: string[] = [];
  const escaped: Nodes[] = [];
  const visit = (node: Nodes): void => {
    if (!isSafe(node)) escaped.push(node);
    if (node.type === 'inlineCode') spans.push(node.value);
    if (node.type === 'code') fences.push(node.value);
    if ('children' in node) node.children.forEach(visit);
  };
  visit(
    fromMarkdown(markdown, {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()],
    }),
  );
  expect(escaped).toEqual([]);
  return { spans, fences };
}

/** Whether a node is our own, or code. */
function isSafe(node: Nodes): boolean {
  switch (node.type) {
    case 'html':
      return OWN_HTML.exec(node.value)?.[0] === node.value;
    case 'text':
      return isOwnText(node.value);
    case 'link':
      return OWN_LINK.test(node.url) && isCodeAlone(node.children);
    case 'list':
      return node.ordered !== true && node.spread !== true;
    case 'listItem':
      // A blank line before a comparison would set all items apart.
      return node.spread !== true;
    case 'code':
      return node.lang === 'diff' && !node.meta;
    case 'table':
      return new Set(node.children.map(cellsIn)).size === 1;
    default:
      return ALLOWED.has(node.type);
  }
}

function isOwnText(text: string): boolean {
  return OWN_TEXT.test(text.replace(ALERT, '')) && !text.includes(MARK);
}

function isCodeAlone(nodes: readonly Nodes[]): boolean {
  return nodes.length === 1 && nodes[0]?.type === 'inlineCode';
}

function cellsIn(row: { readonly children: readonly unknown[] }): number {
  return row.children.length;
}

const ALLOWED = new Set(
  'root blockquote heading paragraph strong inlineCode tableRow tableCell'.split(
    ' ',
  ),
);

/** A command of GitHub's runner, read as the runner does. */
export interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** The commands that a runner finds in lines, and the lines that are none. */
export function commandsOf(lines: string): {
  readonly commands: Command[];
  readonly others: string[];
} {
  const commands: Command[] = [];
  const others: string[] = [];
  for (const line of lines.split('\n').filter((each) => each !== '')) {
    const [start, name = '', all = ''] =
      /^\s*::(\S+?)(?: ([^\n]*?))?::/.exec(line) ?? [];
    const pairs = all
      .split(',')
      .map((pair) => [
        pair.replace(/=.*/s, ''),
        decoded(pair.replace(/^\w*=/, '')),
      ]);
    if (start === undefined) others.push(line);
    else
      commands.push({
        name,
        properties: Object.fromEntries(pairs),
        message: decoded(line.slice(start.length)),
      });
  }
  return { commands, others };
}

function decoded(text: string): string {
  const back: Readonly<Record<string, string>> = {
    '0D': '\r',
    '0A': '\n',
    '3A': ':',
    '2C': ',',
    '25': '%',
  };
  return text.replace(
    /%(0D|0A|3A|2C|25)/g,
    (_, code: string) => back[code] ?? '',
  );
}

/** An element of XML: its attributes by `@_`, its text by `#text`. */
export type Element = Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  ignoreAttributes: false,
  parseAttributeValue: false,
  trimValues: false,
  isArray: (name) => name === 'testsuite' || name === 'testcase',
});

/** A report of JUnit; fails where it is not well formed, or not as readers of it expect. Returns its suites. */
export function suitesOf(
  xml: string,
): { readonly name: string; readonly cases: readonly Element[] }[] {
  expect(XMLValidator.validate(xml)).toBe(true);
  // Everything that XML 1.0 has no form for.
  expect(xml).not.toMatch(
    /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u,
  );
  const suites: Element[] = parser.parse(xml).testsuite;
  return suites.map((suite) => {
    const keys = Object.keys(suite).filter(
      (key) => /\w/.test(key) && key !== '#text',
    );
    expect(keys.sort().join(' ')).toBe(SUITE);
    const cases = suite['testcase'] as Element[];
    expect(
      cases
        .flatMap((each) => Object.keys(each))
        .filter((key) => !CASE.has(key)),
    ).toEqual([]);
    expect(suite['@_tests']).toBe(String(cases.length));
    expect(suite['@_failures']).toBe(
      String(cases.filter((each) => 'failure' in each).length),
    );
    return { name: String(suite['@_name']), cases };
  });
}

const SUITE = '@_errors @_failures @_name @_tests testcase';
const CASE = new Set(
  '@_name @_classname @_file @_line failure #text'.split(' '),
);

/** An issue of GitLab's Code Quality. */
export interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: {
    readonly path: string;
    readonly lines: { readonly begin: number };
  };
}

/** The issues of a Code Quality report; fails where one has not what GitLab asks for. */
export function issuesOf(json: string): readonly Issue[] {
  const issues: Issue[] = JSON.parse(json);
  for (const issue of issues) {
    expect(issue.description).not.toBe('');
    expect(issue.check_name).toMatch(/^[a-z-]+$/);
    expect(issue.fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(issue.severity).toMatch(/^(info|minor|major|critical|blocker)$/);
    expect(issue.location.path).not.toMatch(/^\.\//);
    expect(String(issue.location.lines.begin)).toMatch(/^[1-9]\d*$/);
  }
  const fingerprints = issues.map(({ fingerprint }) => fingerprint);
  expect(new Set(fingerprints).size).toBe(issues.length);
  return issues;
}

/** A result of SARIF. */
interface SarifResult {
  readonly ruleId: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
    };
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

// What it says of itself is of an older draft; the rest is the same in this one.
const { $schema: _, id: __, ...schema } = sarif;
const isSarif = new Ajv({
  strict: false,
  validateFormats: false,
  unicodeRegExp: false,
}).compile(schema);

/** The results of a SARIF log; fails where it is not as its schema has it, or its messages hold links or placeholders. */
export function resultsOf(json: string): readonly SarifResult[] {
  const log = JSON.parse(json);
  expect(isSarif(log), JSON.stringify(isSarif.errors)).toBe(true);
  const [run] = log.runs;
  const results: SarifResult[] = run.results;
  const rules = run.tool.driver.rules.map(
    ({ id }: { readonly id: string }) => id,
  );
  for (const { ruleId, message } of results) {
    expect(rules).toContain(ruleId);
    expect(message.text.replaceAll('{{', '').replaceAll('}}', '')).not.toMatch(
      /[{}]|\]\(/,
    );
  }
  return results;
}
