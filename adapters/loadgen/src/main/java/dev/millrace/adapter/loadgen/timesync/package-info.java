/**
 * The clock exchange: the load generator learns the difference between its clock and that of the server.
 *
 * <p>{@link dev.millrace.adapter.loadgen.timesync.TimesyncResponder} answers on the thread of its UDP port.
 */
package dev.millrace.adapter.loadgen.timesync;
