import { isChoice, isChoiceList, type OptionValue } from '../../model/value.ts';
import type {
  ChangeDocument,
  Document,
  IntegrationDocument,
  ServerDocument,
} from '../../plan/plan.ts';
import type { Risk } from '../../plan/risk.ts';
import { OUTCOME_LOOKS, type Tone } from './tones.ts';

/** A change on one server. */
export interface Fact {
  readonly server: string;
  readonly name: string;
  readonly integration: IntegrationDocument;
  readonly change: ChangeDocument;
  /** The field without its integration: `apiKey`, `apiKey.permission`. */
  readonly field: string;
  /** The risk for which an apply refuses it. */
  readonly refused?: Risk | undefined;
  /** What people read of it, wherever it is declared. */
  readonly key: string;
}

/** All changes of a document, in the order of its servers. */
export function factsOf({ servers }: Document): Fact[] {
  const facts: Fact[] = [];
  for (const server of servers) {
    const refused = refusedRisks(server);
    for (const integration of server.integrations) {
      const { name } = integration;
      for (const change of integration.changes) {
        const field = fieldName(change.address, name);
        const risk = refused.get(change.address);
        facts.push({
          server: server.name,
          name,
          integration,
          change,
          field,
          refused: risk,
          key: keyOf(change, field, risk),
        });
      }
    }
  }
  return facts;
}

function keyOf(
  change: ChangeDocument,
  field: string,
  refused: Risk | undefined,
): string {
  const { source, address, maybeWritten, before, after, base, ...shown } =
    change;
  // Two secrets are known to be equal only if both are references.
  const isUntold = shown.secret === true && shown.reference === undefined;
  const values = [before, after, base ?? null].map(toldOf);
  return JSON.stringify([isUntold ? address : field, values, shown, refused]);
}

/** A choice is its value: its display may differ among servers. */
function toldOf(value: OptionValue | null): unknown {
  if (value !== null && isChoiceList(value)) {
    return value.map((choice) => choice.value);
  }
  return isChoice(value) ? value.value : value;
}

/** The risks for which fields of a server are refused, by their addresses. */
function refusedRisks({ refusals }: ServerDocument): Map<string, Risk> {
  const risks = new Map<string, Risk>();
  for (const { risk, addresses = [] } of refusals) {
    if (risk === undefined) continue;
    for (const address of addresses) risks.set(address, risk);
  }
  return risks;
}

/** The address of a field inside its integration, as people type it. */
export function fieldName(address: string, integration: string): string {
  const inside = address.slice(integration.length + 1);
  if (!inside.startsWith('options.')) return inside;
  return inside.slice('options.'.length).replace(/\.value$/, '');
}

/** What a change means to its reader. */
export function toneOf({ change, refused }: Fact): Tone {
  const { outcome, label, risks } = change;
  if (outcome !== undefined) return OUTCOME_LOOKS[outcome].tone;
  if (refused !== undefined) return 'bad';
  if (label === 'conflict') return 'conflict';
  return risks.length > 0 ? 'risk' : label;
}

const BY_NAME = new Intl.Collator('en', { numeric: true });

/** The order of names: numbers in them count. */
export function compareNames(one: string, other: string): number {
  return BY_NAME.compare(one, other);
}

/** The names of integrations, each once, in their order. */
export function namesIn(items: readonly { readonly name: string }[]): string[] {
  return [...new Set(items.map(({ name }) => name))].sort(compareNames);
}

/** The servers of changes, each once, in the order of the document. */
export function serversIn(facts: readonly Fact[]): string[] {
  return [...new Set(facts.map(({ server }) => server))];
}
