import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { addressOf } from '../../../src/core/model/subject.ts';
import {
  type OptionValue,
  sameContent,
} from '../../../src/core/model/value.ts';
import { judge } from '../../../src/core/plan/judge.ts';
import type { Planned } from '../../../src/core/plan/plan.ts';
import type {
  ChangeDocument,
  ServerDocument,
} from '../../../src/core/plan/plan-document.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { encoderFor } from '../../../src/core/plan/requests.ts';
import { decodeSaved } from '../../../src/core/plan/saved.ts';
import { planUndo } from '../../../src/core/plan/undo.ts';
import { documentOf } from '../../../src/core/report/document.ts';
import { file, matchedWith, merged } from '../../support/config.ts';
import { readingsOf, SERVER } from '../../support/planned.ts';
import { isUnambiguous, pair, yamlOf } from '../../support/random-pair.ts';
import { seeds } from '../../support/soak.ts';
import {
  decoded,
  page,
  patched,
  type WireIntegration,
} from '../../support/wire.ts';

/** Applies that are taken back. */
const APPLIES = seeds(60, 2_000);

type Wire = readonly WireIntegration[];

/** What a server holds after the requests of a plan, and its report. */
interface Applied {
  readonly wire: Wire;
  readonly report: ServerDocument;
  /** The addresses that the requests carry. */
  readonly sent: readonly string[];
}

function liveOf(wire: Wire): LiveIntegration[] {
  return decoded(page(wire));
}

function planOf(files: readonly string[], wire: Wire): Planned {
  const live = liveOf(wire);
  const sources = files.map((text, index) => file(text, `${index}.yaml`));
  const { integrations: desired } = matchedWith(merged([sources]).value, live);
  return planServer({ server: SERVER, desired, live, reads: 1 });
}

/** Sends the requests of a plan, and reports what a reading back shows. */
function applied({ plan }: Planned, wire: Wire, command: 'apply' | 'undo') {
  const requests = plan.integrations.flatMap(encoderFor([]));
  const after = requests.reduce(patched, [...wire]);
  const end = { kind: 'acknowledged' } as const;
  const integrations = plan.integrations.map((integration) => {
    return integration.changes.length > 0
      ? { ...integration, end }
      : integration;
  });
  const readBack = new Map(liveOf(after).map((live) => [live.id, live]));
  const readings = readingsOf(integrations, readBack);
  const judged = judge({ ...plan, integrations }, readings);
  const document = documentOf({ command, servers: [judged.plan] });
  const saved = decodeSaved(JSON.parse(JSON.stringify(document)), 'undo');
  if ('problem' in saved) throw new Error(saved.problem);
  const [report] = saved.document.servers;
  if (report === undefined) throw new Error('no report');
  const changes = requests.flatMap((request) => request.changes);
  const sent = changes.map(({ comparison }) => addressOf(comparison.subject));
  return { wire: after, report, sent } satisfies Applied;
}

function undoOf(report: ServerDocument, wire: Wire): Planned {
  const live = liveOf(wire);
  return planUndo({ server: SERVER, report, live, reads: 1 });
}

/** Every field of a server by its address, in the form of the wire. */
function heldOn(wire: Wire): Map<string, unknown> {
  const held = new Map<string, unknown>();
  for (const { id, attributes, options } of wire) {
    held.set(`${id}.autosubscribe`, attributes['autosubscribe']);
    for (const { key, attributes: own } of options) {
      const flags = [own['admin-only'], own['user-can-edit']];
      held.set(`${id}.options.${key}.value`, own['value']);
      held.set(`${id}.options.${key}.permission`, JSON.stringify(flags));
    }
  }
  return held;
}

function isSame(one: unknown, other: unknown, type?: string): boolean {
  return sameContent(one as OptionValue, other as OptionValue, type);
}

/** Values that somebody else writes, by the type of an option. */
const OTHERS: Readonly<Record<string, unknown>> = {
  text: 'by hand',
  password: 'by hand',
  number: 77_777,
  boolean: true,
  select: { value: 'deep', display: 'The deep one' },
};

/** Writes into a field as another administrator would. */
function byHand(wire: Wire, { address }: ChangeDocument): Wire {
  return wire.map((integration) => {
    const { id, attributes } = integration;
    if (address === `${id}.autosubscribe`) {
      const autosubscribe = attributes['autosubscribe'] !== true;
      return { ...integration, attributes: { ...attributes, autosubscribe } };
    }
    const options = integration.options.map((option) => {
      const own = option.attributes;
      const field = `${id}.options.${option.key}`;
      if (address === `${field}.permission`) {
        const isHidden = own['admin-only'] === true;
        const flags = { 'admin-only': !isHidden, 'user-can-edit': false };
        return { ...option, attributes: { ...own, ...flags } };
      }
      if (address !== `${field}.value`) return option;
      const value = OTHERS[String(own['type'])];
      const written = own['multiple'] === true ? [value] : value;
      return { ...option, attributes: { ...own, value: written } };
    });
    return { ...integration, options };
  });
}

const INVALID = JSON.stringify([true, true]);

test(`of ${APPLIES} random applies an undo restores what nobody touched since, and sends nothing else; an undo of the undo sets it again`, () => {
  const seen = { restored: 0, moved: 0 };
  fc.assert(
    fc.property(
      pair.filter(isUnambiguous),
      fc.infiniteStream(fc.boolean()),
      (before, choices) => {
        const files = before.map((integration) => yamlOf(integration, false));
        const first = applied(planOf(files, before), before, 'apply');
        const changes = first.report.integrations.flatMap(
          (each) => each.changes,
        );
        let wire: Wire = first.wire;
        for (const change of changes) {
          const { value: isTouched } = choices.next();
          if (isTouched) wire = byHand(wire, change);
        }
        const [old, written, now] = [before, first.wire, wire].map(heldOn);
        const undone = applied(undoOf(first.report, wire), wire, 'undo');
        const after = heldOn(undone.wire);
        const restored: string[] = [];
        for (const { address, type, secret } of changes) {
          const isMoved = !isSame(
            written?.get(address),
            now?.get(address),
            type,
          );
          const isKept = secret || old?.get(address) === INVALID;
          if (isMoved) seen.moved += 1;
          if (isMoved || isKept) continue;
          restored.push(address);
          expect(isSame(after.get(address), old?.get(address), type)).toBe(
            true,
          );
        }
        expect([...undone.sent].sort()).toEqual(restored.sort());
        for (const [address, value] of after) {
          if (!restored.includes(address))
            expect(value).toEqual(now?.get(address));
        }
        seen.restored += restored.length;
        // Again, nothing is left to do.
        expect(undoOf(first.report, undone.wire).plan.summary.changes).toBe(0);
        const redone = applied(
          undoOf(undone.report, undone.wire),
          undone.wire,
          'undo',
        );
        const again = heldOn(redone.wire);
        for (const [address, value] of again) {
          const type = changes.find(
            (change) => change.address === address,
          )?.type;
          expect(isSame(value, now?.get(address), type)).toBe(true);
        }
      },
    ),
    { numRuns: APPLIES },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(APPLIES / 10);
});
