import { at, count, phrase } from '../../findings/words.ts';
import type { Document } from '../../plan/plan-document.ts';
import type { Cause } from '../model/causes.ts';
import { sizeOf } from '../model/left.ts';
import { type Alert, type Model, modelOf } from '../model/model.ts';
import type { View } from '../report.ts';
import { placed, sectionsPart, toolsPart } from './changes.ts';
import { html, htmlDocument, joined, type Markup, type Part } from './html.ts';
import { matrixPart } from './matrix.ts';

/** A document as a page that needs nothing from elsewhere. */
export function renderPage(document: Document, view: View): string {
  const model = modelOf(document, view);
  const { alerts, warnings, next } = model;
  const boxes = alerts.map((alert) => boxPart(alert, model));
  const warned = {
    tone: 'risk',
    title: count(warnings.length, 'warning'),
    causes: warnings,
  } as const;
  const command =
    next &&
    html`
<p class="next"><b>Next</b> ${next.lead} <code>${next.command}</code></p>`;
  const body = html`
<a class="skip" href="#changes">Skip to the changes</a>
${headPart(model)}
<main class="wrap">${boxes}${matrixPart(model.matrix)}${toolsPart(model)}
<div id="changes" tabindex="-1">${sectionsPart(model.sections, document)}</div>
<p id="none" hidden>No change matches. <button class="chip" type="button" id="clear">Clear the filter</button></p>${donePart(model)}<div id="warnings">${warnings.length > 0 && boxPart(warned, model)}</div>${leftPart(model)}${command}</main>
<footer class="wrap dim">setpoint ${document.tool.version}</footer>
<div id="said" role="status" class="hush"></div>`;
  const title = `${model.headline} - setpoint ${document.command}`;
  return htmlDocument(title, body);
}

/**
 * What a document says, when it was made, and what stands for or against it.
 */
function headPart(model: Model): Markup {
  const { document, headline, verdict, when, left, warnings } = model;
  const { command, createdAt } = document;
  const origin: Part[] = [`setpoint ${command}`, ...when];
  if (createdAt !== undefined) {
    const [time] = when;
    origin[1] = html`<time datetime="${createdAt}">${time}</time><span id="age"></span>`;
  }
  const links: Part[] = [];
  if (left.length > 0) {
    links.push(html`<a href="#left">${count(sizeOf(left), 'more field')}</a>`);
  }
  // Without servers the headline counts them.
  if (warnings.length > 0 && document.servers.length > 0) {
    const words = count(warnings.length, 'warning');
    links.push(html`<a href="#warnings">${words}</a>`);
  }
  const also =
    links.length > 0 &&
    html`
<p class="dim">Also: ${joined(links, ', ')}</p>`;
  const pill =
    verdict && html`<span class="pill ${verdict.tone}">${verdict.text}</span>`;
  return html`<header class="wrap top"><p class="dim">${joined(origin, ' · ')}</p>
<h1>${headline} ${pill}</h1>${also}</header>`;
}

/** Findings or refusals, under a title unless the page has that already. */
function boxPart(
  { tone, title, causes }: Alert,
  { document, headline }: Model,
): Markup {
  const head = title !== headline && html`<h2>${title}</h2>`;
  const written = causes.map((cause) => causePart(cause, document));
  return html`
<section class="alert ${tone}">${head}<ul>${written}</ul></section>`;
}

function causePart(
  { code, text, place, also, hints, yaml }: Cause,
  document: Document,
): Markup {
  const link =
    place && html`<code>${placed(document, place, at(place))}</code> `;
  const more = phrase([also, ...hints]);
  const lines = yaml.map((line) => html`<code class="yaml">${line}</code>`);
  return html`<li>${text} ${link}<span class="dim">${more}</span> <small>${code}</small>${lines}</li>`;
}

/** What went well, by name: links of the matrix lead there. */
function donePart({ done }: Model): Part {
  if (done.length === 0) return undefined;
  const names = done.map((name) => html`<span id="i-${name}">${name}</span>`);
  return html`
<details class="end"><summary><b>Done</b> (${count(done.length, 'integration')})</summary>${joined(names, ', ')}</details>`;
}

function leftPart({ left }: Model): Markup {
  const folds = left.map(({ title, how, fields, size }) => {
    const items = fields.map(({ field, more }) => {
      return html`<li><code>${field}</code> <span class="dim">${more}</span></li>`;
    });
    return html`
<details class="end"><summary><b>${title}</b> (${count(size, 'field')}) <span class="dim">${how}</span></summary><ul>${items}</ul></details>`;
  });
  return html`<div id="left">${folds}</div>`;
}
