/**
 * Compiles parts of flows to <em>units</em>: one generated class for all operators of a part, which processes whole
 * batches.
 *
 * <pre>
 *   FlowPlan ──► UnitPlanner: parts ──► UnitBuilder: operators ──► UnitGenerator: methods ──► UnitSource ──► class
 * </pre>
 *
 * <p>Outputs that share state form a part: those with a group in common are in one unit, all others are separate, and
 * each unit processes a batch by itself. Rows pass through filters, projections and windows in one method; a
 * <em>breaker</em> (a group, a netting) collects the changes of an instant and passes them to its readers at the end of
 * the instant.
 *
 * <p>{@code code} contains what all writers share, {@code window}, {@code group}, {@code join} and {@code set} the
 * operators, {@code output} the outputs.
 *
 * <p>To add an operator:
 * <ol>
 * <li>Write a class that implements {@code RowConsumer} for its input: {@code enter} writes the code for a row that
 *     enters and returns the values that must be stored so that the row can leave; a window stores exactly these in its
 *     ring.</li>
 * <li>Implement {@code UnitOperatorGenerator} for its part of the methods of all units: {@code due} and {@code atDue}
 *     when time alone triggers work, {@code close} for the end of an instant, {@code sweep} for the end of a
 *     batch.</li>
 * <li>Create it in {@code UnitBuilder}, which passes it its readers; {@code netted} inserts a
 *     {@code NetChangeGenerator} before readers that need net changes when the operator does not produce them.</li>
 * <li>Put code that does not depend on the plan into a class of {@code runtime.unit}.</li>
 * </ol>
 *
 * <p>Several inputs: {@code Unit.rows} has the index of the input, {@code Unit.advance} the common progress of all
 * inputs. Rows of several streams wait in rings ({@code StreamAlignmentGenerator}) until their instant is complete.
 *
 * <p>Strings in state are codes of {@code api.string.StringTable}, and are only added to the table in
 * {@code UnitSource.keptCode}, or in {@code carriedCode} for strings that no operator compares
 * ({@code RowConsumer.compares}); equal carried strings do not share a code. All other objects are codes of
 * {@code runtime.unit.ObjectCodes} when rows are compared by value ({@code Words}). State that stores a code beyond the
 * end of the batch retains and releases it: {@code RingColumns.keep} and {@code forget} for rows, elsewhere
 * {@code CodeColumns}, for keys by {@code KeyTable.hold}, for an open instant by {@code NetChanges.endOfBatch}. Results
 * of expressions of one string are cached by its code ({@code CachedStringExpressions}). Constants are fields; a class
 * is shared by all plans with the same source text.
 *
 * <p>A field that is declared with {@code UnitSource.field} is state, and is written and read with the unit
 * ({@code runtime.state}); one that is lent, derived or a cache is declared with {@code scratch}. Codes are written by
 * value: they occur only in columns of rings, and in rows and keys that have {@code CodeColumns}.
 *
 * <p>Units that must be able to discard state ({@code Forgotten}) have additional code; others have no overhead.
 * Partitions are discarded between batches, through {@code PartitionedState}: windows store the column that identifies
 * the partition of a row ({@code code.PartitionColumn}), make the rows of discarded ones leave and mark them
 * ({@code DiscardedRows}), since a ring frees positions in order; groups over a relation that only grows start again.
 * Operators above windows see these rows leave, out of order between partitions, so that such windows feed no ring of a
 * join. All rows of such units wait in rings until their instant has passed ({@code StreamAlignmentGenerator}): those
 * of a partition to discard are processed first, and later ones wait for that. Idle keys leave at the end of an instant
 * ({@code IdleStateSweeper}).
 *
 * <p>A row that an expression above a group cannot compute is rejected and does not exist for readers; the group does
 * not change.
 *
 * <p>Callers: {@code compiler.flow}. Threads: the compiler is thread-safe; a unit belongs to its engine.
 */
package dev.millrace.cql.compiler.unit;
