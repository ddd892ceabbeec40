/**
 * The TCP source for the load generator and for newline-delimited CSV: adapter providers {@code csvgen} and
 * {@code loadgen}.
 *
 * <pre>
 *   socket bytes ──► Connection ──first byte 0──► FrameDecoder ──┐
 *   (many, one selector)      └──otherwise─────► CsvDecoder ────┴──► RowBatch ──256 rows or end of round──► sender
 *
 *   generator ──16..32 bytes UDP──► TimesyncResponder (own small thread, one per port)
 * </pre>
 *
 * <p>Callers: the platform, through {@link dev.millrace.adapter.loadgen.LoadgenAdapterFactory}; senders and benchmarks
 * use {@link dev.millrace.adapter.loadgen.WireFormat}, {@link dev.millrace.adapter.loadgen.FrameWriter} and
 * {@link dev.millrace.adapter.loadgen.FrameDecoder} in process. Threads: all connections of an adapter, their decoders
 * and the batch are confined to the thread that calls {@code run}; life-cycle calls come from the managing thread and
 * only set flags or wake it. Nothing is allocated in steady state.
 */
package dev.millrace.adapter.loadgen;
