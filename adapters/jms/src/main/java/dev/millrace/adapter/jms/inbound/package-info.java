/**
 * Source of the messages of a queue or topic.
 *
 * <pre>
 *   consumer ─► ReceiveLoop ─► MessageReader ─► RowBatch ─► channel
 *                  │  │          └─ rejected ─► DeadLetters (in the same transaction)
 *                  │  └─ NumberedMessages: which rows of a message that arrives again were received before
 *                  └─ commit, when the stages below have stored the rows
 * </pre>
 *
 * <p>Callers: {@code JmsSource}. Threads: the source's, unless a type states otherwise.
 */
package dev.millrace.adapter.jms.inbound;
