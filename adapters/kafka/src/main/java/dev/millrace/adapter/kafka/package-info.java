/**
 * The Kafka adapter: a source that reads records of topics and a sink that writes them.
 *
 * <p>Callers: the framework starts the activator, which registers the factories.
 */
package dev.millrace.adapter.kafka;
