/**
 * The command replay: runs the recorded input of a durable processor through its rules, or through changed ones, and
 * shows the output or the difference.
 *
 * <pre>
 *   journals ─► UnitCursor, one for each unit ─► ReplayRun, in order of time ─► ReplayEngine.Unit of each rule set
 *                                                                                  └─► RowLines | RowDifference
 * </pre>
 *
 * <p>The engine is found by the name of its class, so that other commands start without it. Reads the domain only.
 */
package dev.millrace.command.replay;
