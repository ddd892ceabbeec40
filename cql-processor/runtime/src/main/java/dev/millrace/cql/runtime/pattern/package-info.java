/**
 * Looks for row patterns in streams: MATCH_RECOGNIZE.
 *
 * <pre>
 *   rows ──► PatternOperator: partition ──► Candidates: window of rows, runs in order of preference
 *                 │                              │ step: every run takes the row or dies (Stepper, PatternKernel)
 *              TimingWheel: WITHIN, DURATION       ▼
 *                                           MatchMode settles which match counts ──► MatchQueue ──► ReplayOperator
 * </pre>
 *
 * <p>The cheapest of three operators that can run a pattern is taken, by what its conditions read:
 * {@link dev.millrace.cql.runtime.pattern.FixedPatternOperator} when the number of rows is fixed,
 * {@link dev.millrace.cql.runtime.pattern.LocalPatternOperator} when conditions read only the row and rows physically
 * before it, {@link dev.millrace.cql.runtime.pattern.PatternOperator} otherwise. WITHIN and DURATION add timers.
 *
 * <p>Who lives here: the matcher and what generated conditions and measures need. Who may call: compiled flows make the
 * operator, the engine of flows drives it. Threads: the engine's.
 */
package dev.millrace.cql.runtime.pattern;
