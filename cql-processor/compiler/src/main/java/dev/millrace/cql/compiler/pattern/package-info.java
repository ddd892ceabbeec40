/**
 * Compiles row patterns to programs.
 *
 * <pre>
 *   PatternSpec ──► PatternPositions: what may follow each position, in order of preference ─┐
 *              └──► PatternAnalysis: references of conditions and measures ────────────────┴──► PatternProgram
 * </pre>
 *
 * <p>Package {@code attempt} generates classes for them.
 *
 * <p>Callers: the compiler of flows. Results are immutable.
 */
package dev.millrace.cql.compiler.pattern;
