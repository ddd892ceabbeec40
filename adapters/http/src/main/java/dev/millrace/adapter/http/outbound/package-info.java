/**
 * The sink that sends events to a URL.
 *
 * <p>Threads: the channel's thread formats rows, sends requests and waits for their responses, so that a slow receiver
 * slows the channel. Callers: applications, by the provider {@code rest-outbound}.
 */
package dev.millrace.adapter.http.outbound;
