import { isCode } from '../findings/diagnostic.ts';
import { hasErrors } from '../findings/explain.ts';
import { findingHelp } from '../findings/help.ts';
import type { Place } from '../model/place.ts';
import { asOfTexts } from './as-of.ts';
import { jsonDocument, sarifText, uriOf } from './escape-sinks.ts';
import { headOf } from './from-root.ts';
import { type Remark, remarksOf, remarkText } from './remark.ts';
import type { Renderer } from './report.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** One run of SARIF 2.1.0: its rules are the codes of what it found. */
export const renderSarif: Renderer = (report, findings, view) => {
  const { tool, findingsPage } = view;
  const remarks = remarksOf(report, findings, view);
  const head = headOf(report, remarks, view);
  const rules = [...new Map(remarks.map((each) => [each.code, each])).values()];
  const indexes = new Map(rules.map(({ code }, index) => [code, index]));
  const asOf = report.kind === 'plan' ? asOfTexts(report.servers) : [];
  const run = {
    tool: {
      driver: {
        name: tool.name,
        version: tool.version,
        rules: rules.map((each) => ruleOf(each, findingsPage)),
      },
    },
    // A run that found errors may not have looked at everything.
    invocations: [{ executionSuccessful: !hasErrors(findings) }],
    ...(asOf.length === 0 ? {} : { properties: { snapshots: asOf } }),
    columnKind: 'utf16CodeUnits',
    results: remarks.map((remark) => resultOf(remark, indexes.get(remark.code) ?? 0, head)),
  };
  return jsonDocument({ $schema: SCHEMA, version: '2.1.0', runs: [run] });
};

function ruleOf({ code, title, level }: Remark, findingsPage: string | undefined) {
  const help = isCode(code) ? findingHelp(code) : undefined;
  const text = [`${title}.`, help?.why, help?.hint].filter((each) => each !== undefined).join(' ');
  const isOnPage = help !== undefined && findingsPage !== undefined;
  return {
    id: code,
    shortDescription: { text: sarifText(title) },
    help: { text: sarifText(text) },
    ...(isOnPage ? { helpUri: `${findingsPage}#${code}` } : {}),
    defaultConfiguration: { level },
  };
}

function resultOf(remark: Remark, ruleIndex: number, head: Place) {
  const { code, level, identity } = remark;
  return {
    ruleId: code,
    ruleIndex,
    level,
    message: { text: sarifText(remarkText(remark)) },
    locations: [{ physicalLocation: locationOf(remark.place ?? head) }],
    partialFingerprints: { 'setpoint/v1': identity },
  };
}

function locationOf({ file, line, column, endColumn }: Place) {
  // What lies outside of the repository is relative to no root of sources.
  const base = /^(\.\.)?\//.test(file) ? {} : { uriBaseId: '%SRCROOT%' };
  const end = endColumn === undefined || endColumn < column ? {} : { endColumn };
  return {
    artifactLocation: { uri: uriOf(file), ...base },
    region: { startLine: line, startColumn: column, ...end },
  };
}
