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
 * <p>Patterns whose attempts have one labelling each run in {@link dev.millrace.cql.runtime.pattern.attempt}. Of the
 * others, {@link dev.millrace.cql.runtime.pattern.LocalPatternOperator} runs those whose conditions read only the row
 * and rows physically before it, {@link dev.millrace.cql.runtime.pattern.PatternOperator} all others. WITHIN and
 * DURATION add timers.
 *
 * <p>Who lives here: the matcher and what generated conditions and measures need. Who may call: compiled flows make the
 * operator, the engine of flows drives it. Threads: the engine's.
 */
package dev.millrace.cql.runtime.pattern;
