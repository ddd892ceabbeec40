/**
 * Gives each row of a batch to those statements only that can take notice of it.
 *
 * <pre>
 *                    ┌── EqualityIndex: symbol ──┐            ┌──► statement: symbol = 'A'
 *   EventBatch ──►───┼── EqualityIndex: account ─┼──► RowSets ┼──► statement: account = 7
 *                    └── RangeIndex: price ──────┘            └──► statement: price > 100
 *        └──────────────── whole batch ──────────────────────────► statements without a filter
 * </pre>
 *
 * <p>Who may call: the processor stage. Threads: an index belongs to the thread that runs its statements.
 */
package dev.millrace.cql.runtime.index;
