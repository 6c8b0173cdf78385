// One module, so that the bundle is cut once: each cut is a file more that every start reads.
export { renderGithub } from './github.ts';
export { renderGitlab } from './gitlab.ts';
export { renderJunit } from './junit.ts';
export { renderMarkdown } from './markdown/markdown.ts';
export { renderSarif } from './sarif.ts';
