// Draws the pictures of the documentation from reports of one scene: docs/page.png and docs/plan.png, and docs/marks-*.png,
// in which words stand beside the parts of a report. Needs chromium.
import { chromium } from 'playwright-core';
import { commentPage, draw, terminalPage } from './pictures-drawing.mjs';
import { playScene } from './pictures-scene.mjs';

const { plan, page, text, refusedPage, comment } = await playScene();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const reviewed = 'setpoint plan --base main';
  await draw(browser, 'docs/page.png', page, { width: 1280, height: 800 });
  await draw(
    browser,
    'docs/plan.png',
    terminalPage(`${reviewed} --server production`, plan),
    { width: 720 },
  );
  await draw(browser, 'docs/marks-text.png', terminalPage(reviewed, text), {
    width: 720,
    marks: [
      ['compared with main', 'when, and compared with what'],
      ['-- Changes', 'the weightiest section is last'],
      ['base/operations.yaml', 'the file that declares it'],
      [':8', 'the line in that file'],
      ['security[U+2010]operations', 'looks alike: characters by number'],
      ['drift', 'only the server moved'],
      ['- search index', 'a long value: a line for each side'],
      ['staging only', 'not on the other servers'],
      ['+url', 'a member that the list gets'],
      ['# one depth for all', 'the comment in the YAML'],
      ['! overrides-users', 'a risk'],
      ['+ username', 'new (- empties, ~ changes)'],
      ['(hidden)', 'the server does not show it'],
      ['rotated 2026-11-21', 'a secret with a new day'],
      ['conflict, base 25', 'both moved: main says 25'],
      ['${env:SETPOINT_DETONATION_KEY}', 'a secret is its reference'],
      ['! exposes-secret', 'a risk that is refused is red'],
      ['No longer managed', 'left as they are, by the reason'],
      ['Risks', 'what each risk means'],
      ['Plan', 'the total'],
      ['REFUSED', 'why apply would write nothing'],
      ['Next', 'what to type next'],
    ],
  });
  await draw(browser, 'docs/marks-page.png', refusedPage, {
    width: 960,
    // It is long: smaller letters do.
    scale: 0.85,
    marks: [
      ['compared with main', 'when, and compared with what'],
      ['Refused', 'the verdict'],
      ['Also:', 'links to the folds at the end'],
      ['Refused:', 'what needs a person'],
      ['production', 'integrations by servers'],
      ['3', 'leads to these changes'],
      ['', 'words, -words, addresses', '#filter'],
      ['drift', 'chips: a click filters'],
      ['Refused', 'the weightiest section is first'],
      ['production only', 'not on the other servers'],
      ['(hidden)', 'the server does not show it'],
      ['exposes-secret', 'a risk that is refused is red'],
      ['drift', 'only the server moved'],
      ['production.yaml', 'the file that declares it'],
      [':9', 'the line in that file'],
      ['reader', 'new: it was not set'],
      ['rotated 2026-11-21', 'a secret with a new day'],
      ['${env:SETPOINT_ASSETS_SECRET}', 'a secret is its reference'],
      ['conflict, base 25', 'both moved: main says 25'],
      ['+url', 'a member that the list gets'],
      ['overrides-users', 'a risk'],
      ['# one depth for all', 'the comment in the YAML'],
      ['[U+2010]', 'looks alike: characters by number'],
      ['\u2212\u00a0search index', 'a long value: a line for each side'],
      ['Not compared', 'left as they are, by the reason'],
      ['Next', 'what to type next'],
    ],
  });
  await draw(browser, 'docs/marks-comment.png', commentPage(comment), {
    width: 820,
    marks: [
      ['18 changes', 'the total'],
      ['Refused:', 'what needs a person'],
      ['production', 'changes of each server'],
      ['exposes-secret', 'what each risk means, and where'],
      ['Refused', 'the weightiest section is first'],
      ['base/intelligence.yaml', 'the file that declares it'],
      ['(hidden)', 'the server does not show it'],
      ['exposes-secret', 'a risk'],
      ['drift', 'only the server moved'],
      ['reader', 'new: it was not set'],
      ['${env:SETPOINT_ASSETS_SECRET}', 'a secret is its reference'],
      ['rotated 2026-11-21', 'a secret with a new day'],
      ['conflict, base 25', 'both moved: main says 25'],
      [':11', 'the line in the file'],
      ['+url', 'a member that the list gets'],
      ['# one depth for all', 'the comment in the YAML'],
      ['[U+2010]', 'looks alike: characters by number'],
      ['- search index', 'a long value: a line for each side'],
      ['staging only', 'not on the other servers'],
      ['6 more fields', 'left as they are, by the reason'],
      ['compared with main', 'when, and compared with what'],
      ['Next', 'what to type next'],
    ],
  });
} finally {
  await browser.close();
}
