/**
 * The load generator: plays data files over TCP at a configured rate, open-loop.
 *
 * <pre>
 *   property file ──► GeneratorSettings ─┐
 *   data file ──► DataFile ──► RowAssignment ──┴─► LoadGenerator ──► SenderThread ──► SenderConnection ──► socket
 *                                               └──► ProgressListener, RunSummary ──► JSON
 * </pre>
 *
 * <p>Callers: {@link dev.millrace.loadgen.Main} from the command line, other programs through
 * {@link dev.millrace.loadgen.LoadGenerator}; checkers use {@link dev.millrace.loadgen.RowAssignment} to determine
 * which rows were sent. Threads: the caller of {@code run} reports; one thread sends for all connections of a property
 * file unless {@code test.threads} specifies more. Sending never waits for the receiver: delayed writes appear as lag.
 */
package dev.millrace.loadgen;
