import fc from 'fast-check';

// The same draws for each mutant, and no more than it takes: what kills one is not looked at any further.
fc.configureGlobal({
  seed: 4711,
  numRuns: 10,
  interruptAfterTimeLimit: 60,
  endOnFailure: true,
});
