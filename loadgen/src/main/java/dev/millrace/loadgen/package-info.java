/**
 * The load generator: plays data files over TCP at a set rate, open-loop.
 *
 * <pre>
 *   property file ──► GeneratorSettings ─┐
 *   data file ──► DataFile ──► RowPlan ──┴─► LoadGenerator ──► SenderThread ──► PlannedConnection ──► socket
 *                                               └──► ProgressListener, RunSummary ──► JSON
 * </pre>
 *
 * <p>Who may call: {@link dev.millrace.loadgen.Main} from the command line, other programs through {@link
 * dev.millrace.loadgen.LoadGenerator}; checkers use {@link dev.millrace.loadgen.RowPlan} to know which rows were
 * sent. Threads: the caller of {@code run} reports; one thread sends for all connections of a property file unless
 * {@code test.threads} asks for more. Sending never waits for the receiver: what cannot be written in time shows as
 * lag.
 */
package dev.millrace.loadgen;
