/**
 * Patterns: attempts are records of a position and of what is read of the match later, one for each labelling that may
 * still count. Where more is read, a record follows that of the row before; rows are kept only where they may be put
 * out without match, or be read behind one.
 *
 * <pre>
 *   row ──► {@link dev.millrace.cql.runtime.pattern.attempt.AttemptPattern} (generated): bits of the row, next position
 *            │            of each attempt by its bits
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.PartitionTable}   a record a partition
 *            │        └── {@link dev.millrace.cql.runtime.pattern.attempt.KeyTexts}       texts of keys as codes
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.AttemptSlab}      a record an attempt
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.RowQueues}        rows that wait
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.RowAggregates}    over all rows
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.Deadlines}        what ends without a row
 *            └── {@link dev.millrace.cql.runtime.pattern.attempt.MatchOutput}      at once, or in the order of times
 * </pre>
 *
 * <p>Who may call: engines of flows, generated code. Threads: the engine's. Ownership: records hold values, never
 * rows.
 */
package dev.millrace.cql.runtime.pattern.attempt;
