/**
 * Matching of patterns. An attempt (partial match) is a record of a position and of the values of the match that are
 * read later; there is one for each labelling that may still become a match. When more is read, each row has a record
 * that follows that of the previous row. Rows themselves are stored only when they may be emitted without a match, or
 * be read after one.
 *
 * <pre>
 *   row ──► {@link dev.millrace.cql.runtime.pattern.attempt.AttemptPattern} (generated): bits of the row, next position
 *            │            of each attempt by its bits
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.PartitionTable}   a record per partition
 *            │        └── {@link dev.millrace.cql.runtime.pattern.attempt.PartitionKeyStrings} codes of keys
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.AttemptSlab}      a record per attempt
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.RowQueues}        rows that wait
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.RowAggregates}    over all rows
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.DeadlineWheel}    ends attempts without a row
 *            └── {@link dev.millrace.cql.runtime.pattern.attempt.MatchOutput}      at once, or in the order of times
 * </pre>
 *
 * <p>Callers: engines of flows, generated code. Confined to the engine thread. Ownership: records hold values, never
 * rows.
 */
package dev.millrace.cql.runtime.pattern.attempt;
