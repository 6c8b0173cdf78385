import { at, count, listed } from '../../findings/words.ts';
import type { Document } from '../../plan/plan.ts';
import type { Cause } from '../model/causes.ts';
import { commandOf } from '../model/headline.ts';
import { type Model, modelOf } from '../model/model.ts';
import type { Tone } from '../model/tones.ts';
import type { View } from '../report.ts';
import { sectionsPart } from './changes.ts';
import { html, htmlDocument, joined, type Markup, type Part } from './html.ts';
import { matrixPart } from './matrix.ts';
import { advice, placed } from './parts.ts';
import { toolsPart } from './tools.ts';

/** A document as a page that needs nothing from elsewhere. */
export function renderPage(document: Document, view: View): string {
  const model = modelOf(document, view.full === true);
  const { headline, alerts, warnings, matrix, sections, next } = model;
  const boxes = alerts.map(({ tone, title, causes }) => {
    return boxPart(tone, title, causes, model);
  });
  const warned =
    warnings.length > 0 &&
    boxPart('risk', count(warnings.length, 'warning'), warnings, model);
  const command =
    next &&
    html`
<p class="next"><b>Next</b> ${next.lead} <code>${commandOf(next, view.typed)}</code></p>`;
  const body = html`
<a class="skip" href="#changes">Skip to the changes</a>
${headPart(model)}
<main class="wrap">${boxes}${matrixPart(matrix)}${toolsPart(model)}
<div id="changes" tabindex="-1">${sectionsPart(sections, document)}</div>
<p id="none" hidden>No change matches. <button class="chip" type="button" id="clear">Clear the filter</button></p>${donePart(model)}<div id="warnings">${warned}</div>${leftPart(model)}${command}</main>
<footer class="wrap dim">setpoint ${document.tool.version}</footer>
<div id="said" role="status" class="hush"></div>`;
  const title = `${headline.sentence} - setpoint ${document.command}`;
  return htmlDocument(title, body);
}

/** What a document says, when it was made, and what stands for or against it. */
function headPart(model: Model): Markup {
  const { document, headline, verdict, when, left, warnings } = model;
  const { command, createdAt } = document;
  const origin: Part[] = [`setpoint ${command}`, ...when];
  if (createdAt !== undefined) {
    const [time] = when;
    origin[1] = html`<time datetime="${createdAt}">${time}</time><span id="age"></span>`;
  }
  const links: Part[] = left.map(({ title, fields }) => {
    const words = `${fields.length} ${title.toLowerCase()}`;
    return html`<a href="#left">${words}</a>`;
  });
  // Without servers the headline counts them.
  if (warnings.length > 0 && document.servers.length > 0) {
    const words = count(warnings.length, 'warning');
    links.push(html`<a href="#warnings">${words}</a>`);
  }
  const also = html`
<p class="dim">Also: ${joined(links, ', ')}</p>`;
  const pill =
    verdict && html`<span class="pill ${verdict.tone}">${verdict.text}</span>`;
  return html`<header class="wrap top"><p class="dim">${joined(origin, ' · ')}</p>
<h1>${headline.what} ${headline.scope} <span class="dim">${headline.where}</span> ${pill}</h1>${links.length > 0 ? also : undefined}</header>`;
}

/** Findings or refusals, under a title unless the page has that already. */
function boxPart(
  tone: Tone,
  title: string,
  causes: readonly Cause[],
  { document, headline }: Model,
): Markup {
  const head = title !== headline.what && html`<h2>${title}</h2>`;
  const written = causes.map((cause) => causePart(cause, document));
  return html`
<section class="alert ${tone}">${head}<ul>${written}</ul></section>`;
}

/** The most places of a finding that stand beside each other. */
const MOST_PLACES = 3;

function causePart(
  { code, text, hints, places, others, yaml }: Cause,
  document: Document,
): Markup {
  const links = places.slice(0, MOST_PLACES).map((place) => {
    return html`<code>${placed(document, place, at(place))}</code> `;
  });
  const more = places.length - links.length;
  const sentences = [...hints];
  if (more > 0) links.push(html`and ${more} more `);
  if (others.length > 0) sentences.unshift(`Also in ${listed(others, 3)}.`);
  const lines = yaml.map((line) => html`<code class="yaml">${line}</code>`);
  return html`<li>${text} ${links}${advice(sentences.join(' '))} <small>${code}</small>${lines}</li>`;
}

/** What went well, by name: links of the matrix lead there. */
function donePart({ done }: Model): Part {
  if (done.length === 0) return undefined;
  const names = done.map((name) => html`<span id="i-${name}">${name}</span>`);
  return html`
<details class="end"><summary><b>Done</b> (${count(done.length, 'integration')})</summary>${joined(names, ', ')}</details>`;
}

function leftPart({ left }: Model): Markup {
  const folds = left.map(({ title, how, fields }) => {
    const items = fields.map(({ field, more }) => {
      return html`<li><code>${field}</code> <span class="dim">${more}</span></li>`;
    });
    return html`
<details class="end"><summary><b>${title}</b> (${count(fields.length, 'field')}) ${advice(how)}</summary><ul>${items}</ul></details>`;
  });
  return html`<div id="left">${folds}</div>`;
}
