/**
 * Rows of joins by rectangles: an R-tree.
 *
 * <pre>
 *   BoxIndex: rows of a side ──► RectangleTree
 * </pre>
 *
 * <p>Callers: the classes of units, which generated code extends. Threads: the engine thread of the unit.
 */
package dev.millrace.cql.runtime.unit.box;
