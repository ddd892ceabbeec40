/**
 * The adapters {@code httppub} and {@code httpsub}, and the servers of channels that they share.
 *
 * <p>Threads: the channel's thread publishes; a source has one thread. Callers: applications, by the providers that
 * {@code Activator} registers.
 */
package dev.millrace.adapter.http.pubsub;
