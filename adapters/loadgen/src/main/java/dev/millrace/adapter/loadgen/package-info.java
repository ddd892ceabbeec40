/**
 * The TCP source for typed rows of clients and of the load generator, and for newline-delimited CSV: adapter providers
 * {@code socket}, {@code loadgen} and {@code csvgen}.
 *
 * <pre>
 *   socket bytes ──► Connection ──first byte 0──► FrameDecoder ──┐
 *   (many, one selector)      └──otherwise─────► CsvDecoder ────┴──► RowBatch ──256 rows or end of round──► sender
 *
 *   numbers of rows ◄── Acknowledgements ◄── after each round, from connections whose senders wait
 * </pre>
 *
 * <p>Callers: the platform, through {@link dev.millrace.adapter.loadgen.LoadgenAdapterFactory}; senders and benchmarks
 * use {@link dev.millrace.adapter.loadgen.WireFormat}, {@link dev.millrace.adapter.loadgen.FrameWriter} and
 * {@link dev.millrace.adapter.loadgen.FrameDecoder} in process. Threads: all connections of an adapter, their decoders
 * and the batch are confined to the thread that calls {@code run}; life-cycle calls come from the managing thread and
 * only set flags or wake it. Nothing is allocated in steady state.
 */
package dev.millrace.adapter.loadgen;
