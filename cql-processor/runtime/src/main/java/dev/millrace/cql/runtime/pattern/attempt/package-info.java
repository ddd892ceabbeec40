/**
 * Patterns whose attempts are records: of a position and of what is read of the match later, one for each labelling
 * that may still count. No row is kept.
 *
 * <pre>
 *   row ──► {@link dev.millrace.cql.runtime.pattern.attempt.AttemptPattern} (generated): bits of the row, next position
 *            │            of each attempt by its bits
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.PartitionTable}   a record a partition
 *            │        └── {@link dev.millrace.cql.runtime.pattern.attempt.KeyTexts}       texts of keys as codes
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.AttemptSlab}      a record an attempt
 *            ├── {@link dev.millrace.cql.runtime.pattern.attempt.Deadlines}        WITHIN and conditions on times
 *            └── {@link dev.millrace.cql.runtime.pattern.attempt.MatchOutput}      at once, or in the order of times
 * </pre>
 *
 * <p>Who may call: operators of flows, generated code. Threads: the engine's. Ownership: records hold values, never
 * rows.
 */
package dev.millrace.cql.runtime.pattern.attempt;
