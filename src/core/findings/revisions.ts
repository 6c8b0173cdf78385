import { error, warning } from './entry.ts';
import { count } from './words.ts';

/** Why git has no such revision of the configuration. */
type NoRevision =
  | { problem: 'no-repository'; folder: string }
  | { problem: 'git-missing' }
  | { problem: 'git-failed'; reason: string }
  | { problem: 'unknown'; ref: string; isShallow: boolean; near?: string };

/** What is wrong with a revision of the configuration that git is asked for. */
export const REVISIONS = {
  'no-revision': error('git has no such revision', {
    message: (f: NoRevision) => {
      if (f.problem === 'no-repository') return `${f.folder} is in no git repository.`;
      if (f.problem === 'git-missing') return 'git was not found in the folders of PATH.';
      if (f.problem === 'git-failed') return `git cannot read the repository: ${f.reason}.`;
      const name = f.ref === '' ? 'without a name' : f.ref;
      return `The repository has no revision ${name}${f.isShallow ? '; it is a shallow clone' : ''}.`;
    },
    hint: (f) => {
      if (f.problem === 'no-repository') return 'Run it in a clone of the repository of the configuration.';
      if (f.problem === 'git-missing')
        return 'Install git, or name its folder in PATH by an absolute path outside of the repository.';
      if (f.problem === 'git-failed') return 'Run git fsck, or clone the repository again.';
      return unknownHint(f.ref, f.isShallow, f.near);
    },
  }),
  'revision-broken': error('The configuration of a revision has errors', {
    message: (f: { ref: string; errors: number; first: string }) =>
      `The configuration at ${f.ref} has ${count(f.errors, 'error')}, so nothing can be compared with it: ${f.first}`,
    hint: 'Compare with a revision whose configuration is valid.',
  }),
  'revision-incomplete': warning('A revision lacks a part of the configuration', {
    message: (f: { ref: string; path: string }) => `${f.path} does not exist at ${f.ref}: it counts as new.`,
    hint: 'Fine if it is new. Otherwise compare with a commit that contains it under this name.',
  }),
};

function unknownHint(ref: string, isShallow: boolean, near: string | undefined): string {
  if (near !== undefined) return `Did you mean ${near}?`;
  if (/^[^:]*\.\./.test(ref)) return `Name one revision: ${ref} is a range.`;
  // What GitHub and GitLab call the commit before the first one of a branch.
  if (/^0{40,}$/.test(ref))
    return 'Zeros stand for no commit: name a branch, a tag or a commit, or leave it out.';
  const fetched = fetchHint(ref);
  return `${isShallow ? WHOLE_HISTORY : 'Name a branch, a tag or a commit.'} ${fetched}`.trimEnd();
}

const WHOLE_HISTORY =
  'Fetch the whole history: git fetch --unshallow; in pipelines fetch-depth: 0 of actions/checkout, or GIT_DEPTH: 0 of GitLab.';

/** How to fetch a commit, or a branch of the usual remote and what it is called then, or a tag; empty for what can be none. */
function fetchHint(ref: string): string {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(ref))
    return `To have this commit alone, as a saved plan needs its base: git fetch --depth=1 origin ${ref}`;
  const branch = ref.replace(/^(refs\/remotes\/)?origin\//, '');
  const isBranch = /^[a-z][\w./-]*$/i.test(branch) && !/^([0-9a-f]{7,64}|HEAD)$/.test(branch);
  if (!isBranch) return '';
  const tag = branch === ref ? `, or a tag: git fetch --depth=1 origin tag ${ref}` : '';
  return `To have a branch alone, name it origin/${branch}: git fetch --depth=1 origin ${branch}:refs/remotes/origin/${branch}${tag}`;
}
