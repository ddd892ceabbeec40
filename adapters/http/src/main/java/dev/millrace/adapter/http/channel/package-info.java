/**
 * Publish-subscribe channels: the hub that passes messages to subscribers, its limits, and who may use which channel.
 *
 * <p>Threads: any thread publishes, and no thread waits for a subscriber. Callers: the transports, and the adapters
 * {@code httppub} and {@code httpsub}.
 */
package dev.millrace.adapter.http.channel;
