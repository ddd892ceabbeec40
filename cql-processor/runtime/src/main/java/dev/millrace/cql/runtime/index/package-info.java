/**
 * Passes each row of a batch only to the statements that it can affect.
 *
 * <pre>
 *                    ┌── EqualityIndex: symbol ──┐            ┌──► statement: symbol = 'A'
 *   EventBatch ──►───┼── EqualityIndex: account ─┼──► RowSets ┼──► statement: account = 7
 *                    └── RangeIndex: price ──────┘            └──► statement: price > 100
 *        └──────────────── whole batch ──────────────────────────► statements without a filter
 * </pre>
 *
 * <p>Callers: the processor stage. Threads: an index belongs to the thread that runs its statements.
 */
package dev.millrace.cql.runtime.index;
