import type { Place } from '../../model/place.ts';
import { jsonDocument, sarifText, uriOf } from '../escape-sinks.ts';
import type { Renderer } from '../report.ts';
import { remarksOf, remarkText } from './remarks.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** One run of SARIF 2.1.0: its rules are the codes of what it found. */
export const renderSarif: Renderer = (document) => {
  const remarks = remarksOf(document);
  const rules = new Map(
    remarks.map(({ code: id, title }) => [id, { id, shortDescription: { text: sarifText(title) } }]),
  );
  const run = {
    tool: { driver: { ...document.tool, rules: [...rules.values()] } },
    columnKind: 'utf16CodeUnits',
    results: remarks.map((remark) => ({
      ruleId: remark.code,
      level: remark.level,
      message: { text: sarifText(remarkText(remark)) },
      ...(remark.place && { locations: [{ physicalLocation: locationOf(remark.place) }] }),
      partialFingerprints: { 'setpoint/v1': remark.identity },
    })),
  };
  return jsonDocument({ $schema: SCHEMA, version: '2.1.0', runs: [run] });
};

function locationOf({ file, line, column }: Place) {
  // What lies outside of the repository is relative to no root of sources.
  const base = /^(\.\.)?\//.test(file) ? {} : { uriBaseId: '%SRCROOT%' };
  return {
    artifactLocation: { uri: uriOf(file), ...base },
    region: { startLine: line, startColumn: column },
  };
}
