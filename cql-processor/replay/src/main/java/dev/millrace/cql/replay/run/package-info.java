/**
 * Runs applications over files, without a server.
 *
 * <pre>
 *   FileInput, one for each file ─► InputMerge: rows in order of time ─► feeds of the application
 *        └─ RowTime: the time of a row                └─► InputClock
 *   observed channels and adapters ─► RowOutputs ─► RowOutput, one for each stage
 * </pre>
 *
 * <p>Caller: the command line. Confined to one thread; outputs may be called by threads of the application.
 */
package dev.millrace.cql.replay.run;
