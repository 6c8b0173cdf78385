import { cut } from '../../findings/words.ts';
import type { Document } from '../../plan/plan.ts';
import type { Cause } from '../model/causes.ts';
import { namesIn } from '../model/facts.ts';
import type { Alert, Model } from '../model/model.ts';
import { code, fitting, linked, list } from './inline.ts';
import { sentence } from './sentence.ts';

/** The most characters of a text of a document as a whole. */
const LONGEST_SENTENCE = 600;

/** A sentence about the whole document, which names are in. */
export function shortSentence(text: string): string {
  return sentence(cut(text, '', LONGEST_SENTENCE));
}

/** The boxes of alerts by their tones. */
const BOXES = [
  { tone: 'bad', box: 'CAUTION' },
  { tone: 'risk', box: 'WARNING' },
] as const;

/** What needs a person: a verdict, refusals and errors, servers and risks. */
export function headBlocks(model: Model): string[] {
  const { document, headline, result, alerts } = model;
  const { command } = document;
  const title = shortSentence(headline.sentence);
  const lower = title.charAt(0).toLowerCase() + title.slice(1);
  const blocks = [
    `<!-- setpoint ${command} -->`,
    `### setpoint ${command}: ${lower}`,
  ];
  if (result?.open === '') blocks.push(`**${result.text}**`);
  else if (result !== undefined) {
    const { verdict, open } = result;
    blocks.push(`**${verdict.text}**: ${shortSentence(open)}`);
  }
  for (const { tone, box } of BOXES) {
    const own = alerts.filter((alert) => alert.tone === tone);
    if (own.length === 0) continue;
    const paragraphs = own.flatMap((alert) => alertTexts(alert, document));
    blocks.push(`> [!${box}]\n> ${paragraphs.join('\n>\n> ')}`);
  }
  blocks.push(...serversTable(model));
  const risks = model.risks.map(({ words, meaning, facts }) => {
    const names = list(namesIn(facts), 6);
    return `- **${facts.length} ${words}** (${meaning}): ${names}`;
  });
  if (risks.length > 0) blocks.push(risks.join('\n'));
  return blocks;
}

/** The most characters of refusals, and of errors. */
const LONGEST_ALERT = 10_000;

function alertTexts({ title, causes }: Alert, document: Document): string[] {
  const texts = causes.map((cause) => causeText(cause, document));
  return [
    `**${shortSentence(title)}**`,
    ...fitting(texts, LONGEST_ALERT, 'problem'),
  ];
}

/** A problem in a line: its words, whom else it is about, places, remedies. */
export function causeText(
  { text, hints, others, places }: Cause,
  document: Document,
): string {
  const parts = [sentence(text)];
  if (others.length > 0) parts.push(`The same for ${list(others, 5)}.`);
  for (const place of places.slice(0, 2)) {
    const shown = code(`${place.file}:${place.line}`);
    parts.push(linked(shown, place, document) ?? shown);
  }
  if (places.length > 2) parts.push(`and ${places.length - 2} more`);
  for (const hint of hints) parts.push(sentence(hint));
  return parts.filter((part) => part !== '').join(' ');
}

/** More servers are no overview. */
const MOST_SERVERS = 6;

/** What changes on each of a few servers. */
function serversTable({ document, facts, outcomes, labels }: Model): string[] {
  const { servers } = document;
  const isFew = servers.length > 1 && servers.length <= MOST_SERVERS;
  if (!isFew || facts.length === 0) return [];
  const kinds = outcomes.length > 0 ? outcomes : labels;
  const rows = [
    ['server', 'changes', ...kinds.map(({ words }) => words)],
    ['---', '---:', ...kinds.map(() => '---:')],
  ];
  for (const { name } of servers) {
    // A bar ends a cell, in code too.
    const cells = [list([name], 1).replaceAll('|', '\\u{7c}')];
    for (const kind of [{ facts }, ...kinds]) {
      const own = kind.facts.filter(({ server }) => server === name);
      cells.push(`${own.length || ''}`);
    }
    rows.push(cells);
  }
  return [rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')];
}
