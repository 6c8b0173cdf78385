// One module, so that the bundle is cut once: each cut is a file more that every start reads.
export { renderGithub } from './ci/github.ts';
export { renderGitlab } from './ci/gitlab.ts';
export { renderJunit } from './ci/junit.ts';
export { renderSarif } from './ci/sarif.ts';
export { renderMarkdown } from './page/markdown.ts';
