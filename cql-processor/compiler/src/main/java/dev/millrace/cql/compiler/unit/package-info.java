/**
 * Compiles parts of flows to <em>units</em>: one generated class for all operators of a part, that takes whole batches.
 *
 * <pre>
 *   FlowPlan ──► UnitPlanner: parts ──► UnitBuilder: operators ──► UnitGenerator: methods ──► UnitText ──► class
 * </pre>
 *
 * <p>A part is what outputs share: those with a group in common belong to one unit, all others are apart, so that each
 * goes through a batch by itself. Rows pass through filters, projections and windows in one method; a <em>breaker</em>
 * (a group, a netting) gathers the changes of an instant and gives them to its readers when it is over.
 *
 * <p>{@code code} has what all writers share, {@code window}, {@code group}, {@code join} and {@code set} the
 * operators, {@code output} what follows them.
 *
 * <p>To add an operator:
 * <ol>
 *   <li>Write a class with {@code ConsumerCode} for what it reads: {@code enter} writes what happens when a row enters
 *       and gives what must be remembered so that the row can leave; a window keeps just that in its ring.</li>
 *   <li>Write {@code OperatorCode} for its part of the methods of all units: {@code due} and {@code atDue} when time
 *       alone lets something happen, {@code close} for the end of an instant, {@code sweep} for that of a batch.</li>
 *   <li>Make it in {@code UnitBuilder}, which hands it its readers; {@code netted} puts a {@code NetCode} before
 *       readers that need net changes where the operator does not give such.</li>
 *   <li>Put what does not depend on the plan into a class of {@code runtime.unit}.</li>
 * </ol>
 * Several ways in: {@code Unit.rows} has the number of the way, {@code Unit.advance} says how far all of them are. Rows
 * of several streams wait in rings ({@code WaitCode}) until their instant is complete.
 * Strings in state are codes of {@code api.text.Codes}, and are taken in {@code UnitText.keptCode} only, or in
 * {@code carriedCode} where nobody compares them: an operator says what it compares
 * ({@code ConsumerCode.compares}), and what is below it keeps the other strings by codes that equal ones do not share.
 * All other objects are codes of {@code runtime.unit.ObjectCodes} where rows are compared by value ({@code Words}).
 * Whatever keeps a code beyond the batch holds it and releases it: {@code RingColumns.keep} and {@code forget} for
 * rows, elsewhere {@code HeldCodes}, for keys by {@code KeyTable.hold}, for an instant that is open by
 * {@code NetRows.endOfBatch}.
 * Expressions of one string are remembered by its code ({@code RememberedTexts}).
 * Constants are fields; a class is shared by all plans with the same text.
 * A field that is declared with {@code UnitText.field} is state, and is written and read with the unit
 * ({@code runtime.state}); one that is lent, derived or there for speed alone is declared with {@code scratch}. Codes
 * are written by value: they stand in columns of rings, or in rows and keys that have {@code HeldCodes}, nowhere else.
 *
 * <p>What must be able to forget ({@code Forgotten}) has more text, all others pay nothing. Partitions are forgotten
 * between batches, through {@code PartitionedState}: windows keep the column that tells the partition of a row
 * ({@code code.Partition}), let the rows of forgotten ones leave and mark them ({@code ForgottenRows}), since a ring
 * gives places back in order; groups over a relation that grows begin anew. What stands above windows sees rows that
 * leave, out of order between partitions, so that such windows feed no ring of a join. All rows of such units wait in
 * rings until their instant is over ({@code WaitCode}): those of a partition that is to be forgotten are done with
 * first, and later ones wait for that. Keys that have been idle for a time leave when an instant ends
 * ({@code IdleSweep}).
 *
 * <p>A row that an expression above a group cannot compute is rejected and is not there, as in operators; the group
 * stays as it is.
 *
 * <p>Who may call: {@code compiler.flow}. Threads: the compiler is safe for all; a unit belongs to its engine.
 */
package dev.millrace.cql.compiler.unit;
