import fc from 'fast-check';

/**
 * Property-based tests draw the same cases every time; `RESILIN_FUZZ_SEED=7 npm test` draws others. The comparison with the
 * naive engine draws more of them with `RESILIN_FUZZ_RUNS=10`.
 */
fc.configureGlobal({ seed: Number(process.env.RESILIN_FUZZ_SEED ?? 1) });
