/**
 * Compiles row patterns to programs.
 *
 * <pre>
 *   PatternSpec ──► Places: positions and what may follow each, in order of preference ─┐
 *              └──► PatternAnalysis: references of conditions and measures ───────────┴──► PatternProgram
 * </pre>
 *
 * <p>Package {@code attempt} generates classes for them.
 *
 * <p>Callers: the compiler of flows. Results are immutable.
 */
package dev.millrace.cql.compiler.pattern;
