/**
 * Makes row patterns ready to run.
 *
 * <pre>
 *   PatternSpec ──► Places: positions and what may follow each, in order of preference ─┐
 *              └──► PatternAnalysis: what conditions and measures read of a match ───────┴──► PatternProgram
 * </pre>
 *
 * <p>Package {@code attempt} writes them as classes.
 *
 * <p>Who may call: the compiler of flows. Threads: the caller's; results are immutable.
 */
package dev.millrace.cql.compiler.pattern;
