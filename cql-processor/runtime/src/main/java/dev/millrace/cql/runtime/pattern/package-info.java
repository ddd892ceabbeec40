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
 * <p>Here run patterns that need the rows of a match. Those whose attempts are records, most, run in
 * {@link dev.millrace.cql.runtime.pattern.attempt}. WITHIN and DURATION add timers.
 *
 * <p>Who lives here: the matcher and what generated conditions and measures need. Who may call: compiled flows make the
 * operator, the engine of flows drives it. Threads: the engine's.
 */
package dev.millrace.cql.runtime.pattern;
